import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a file may be sent, the smallest first, and what its compressed form is called. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

type Coding = (typeof CODINGS)[number][0];

/** A file of the console, as the manifest of the build describes it. */
interface Described {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

/** One file in the form that a client takes. */
interface Asset extends Described {
  /** Undefined: as it is. */
  readonly coding: Coding | undefined;
  readonly content: Buffer;
}

/** The page that every deep link gets. */
export const PAGE = 'index.html';

/**
 * The files of the console. Only what the build has listed is ever read, whatever
 * a path says; what has been asked for once stays in memory.
 */
export class Assets {
  readonly #directory: string;
  readonly #files: ReadonlyMap<string, Described>;
  readonly #contents = new Map<string, Promise<Buffer>>();

  /** @throws Error when the console has not been built */
  constructor(directory = builtDirectory()) {
    this.#directory = directory;
    const described = JSON.parse(
      readFileSync(join(directory, 'manifest.json'), 'utf8'),
    ) as Described[];
    this.#files = new Map(described.map((file) => [file.path, file]));
  }

  /**
   * Undefined: there is no such file.
   *
   * @param accepted the Accept-Encoding header
   */
  async find(path: string, accepted: string): Promise<Asset | undefined> {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    const [coding, ending] = CODINGS.find(([name]) => accepts(accepted, name)) ?? [];
    return { ...file, coding, content: await this.#content(`${path}${ending ?? ''}`) };
  }

  #content(name: string): Promise<Buffer> {
    let content = this.#contents.get(name);
    if (content === undefined) {
      content = readFile(join(this.#directory, name));
      this.#contents.set(name, content);
      content.catch(() => this.#contents.delete(name));
    }
    return content;
  }
}

/** Is there a console to serve? */
export function isBuilt(directory = builtDirectory()): boolean {
  return existsSync(join(directory, 'manifest.json'));
}

/** Next to the program of the build; a server that runs from its source serves what was built last. */
function builtDirectory(): string {
  const up = import.meta.filename.endsWith('.ts') ? '../../dist/console' : '../console';
  return join(import.meta.dirname, up);
}

function accepts(header: string, coding: Coding): boolean {
  return header.split(',').some((clause) => {
    const [name = '', quality = ''] = clause.split(';');
    return name.trim().toLowerCase() === coding && !/^\s*q=0(?:\.0*)?\s*$/.test(quality);
  });
}
