import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../storage/make-directory.ts';
import type { KeyPair } from './certificates.ts';
import { remainingValidity } from './validity.ts';

const PRIVATE = 0o600;
/** A generated certificate with less time left than this is renewed at start. */
const RENEW_BEFORE_MS = 30 * 24 * 3600 * 1000;

/** Told of a file that could not be renewed: the process goes on with what it has in memory. */
export type OnUnwritable = (message: string, error: unknown) => void;

interface FileContent {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Certificates with their keys as files of one directory, made when they are not
 * there or end soon. A file that is right is never written: a server must start
 * on a full disk. What cannot be renewed is used from memory.
 */
export class PairFiles {
  readonly #dir: string;
  readonly #mode: number;
  readonly #onUnwritable: OnUnwritable;

  constructor(dir: string, mode = PRIVATE, onUnwritable: OnUnwritable = () => undefined) {
    this.#dir = dir;
    this.#mode = mode;
    this.#onUnwritable = onUnwritable;
    makeDirectory(dir);
  }

  /** @throws Error when a pair that is not there yet cannot be written */
  async ensure(name: string, now: number, make: () => Promise<KeyPair>): Promise<KeyPair> {
    const present = this.#read(name);
    if (present !== undefined && remainingValidity(present.certificate, now) > RENEW_BEFORE_MS) {
      return present;
    }
    const pair = await make();
    this.#write(this.#contents(name, pair));
    return pair;
  }

  /** The same for host names; another list of names needs another certificate. */
  async ensureNamed(
    name: string,
    hosts: readonly string[],
    now: number,
    make: (hosts: readonly string[]) => Promise<KeyPair>,
  ): Promise<KeyPair> {
    const file = join(this.#dir, `${name}.names`);
    const text = hosts.join(',');
    if (contentOf(file) === text) return this.ensure(name, now, () => make(hosts));
    const pair = await make(hosts);
    // The names come last: until then the next start finds other names and tries again.
    this.#write([...this.#contents(name, pair), { file, text, mode: PRIVATE }]);
    return pair;
  }

  #read(name: string): KeyPair | undefined {
    const [certFile, keyFile] = this.#files(name);
    if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
    return { certificate: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  }

  #write(contents: readonly FileContent[]): void {
    replaceAll(contents, this.#onUnwritable);
  }

  #contents(name: string, pair: KeyPair): FileContent[] {
    const [certFile, keyFile] = this.#files(name);
    return [
      { file: keyFile, text: pair.key, mode: this.#mode },
      { file: certFile, text: pair.certificate, mode: this.#mode },
    ];
  }

  #files(name: string): [certFile: string, keyFile: string] {
    return [join(this.#dir, `${name}.crt`), join(this.#dir, `${name}.key`)];
  }
}

/**
 * Makes a file, private unless the mode says otherwise, have this content.
 *
 * @throws Error when a file that is not there yet cannot be written
 */
export function ensureContent(
  file: string,
  text: string,
  onUnwritable: OnUnwritable = () => undefined,
  mode = PRIVATE,
): void {
  if (contentOf(file) !== text) replaceAll([{ file, text, mode }], onUnwritable);
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Writes all files or, when the disk is full, none; a reader finds the old file or
 * the new one, never half of it.
 */
function replaceAll(contents: readonly FileContent[], onUnwritable: OnUnwritable): void {
  const suffix = `${randomBytes(4).toString('hex')}.tmp`;
  const temporaryOf = (file: string): string => `${file}.${suffix}`;
  try {
    for (const { file, text, mode } of contents) {
      writeFileSync(temporaryOf(file), text, { mode: PRIVATE });
      // Whatever the umask is.
      chmodSync(temporaryOf(file), mode);
    }
    for (const { file } of contents) renameSync(temporaryOf(file), file);
  } catch (error) {
    for (const { file } of contents) rmSync(temporaryOf(file), { force: true });
    const first = contents[0]?.file ?? '';
    const why = `${first} cannot be written: ${(error as Error).message}`;
    if (contents.some(({ file }) => !existsSync(file))) throw new Error(why, { cause: error });
    onUnwritable(`${first} cannot be written; what is new is used from memory`, error);
  }
}
