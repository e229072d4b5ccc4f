import { existsSync, readFileSync } from 'node:fs';
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
 * The files of the console. All are read once, a megabyte in a few milliseconds: a
 * server goes on with the build that it began with when the files are replaced under
 * it. Only what the build has listed is ever read, whatever a path says.
 */
export class Assets {
  readonly #files: ReadonlyMap<string, Described>;
  readonly #contents: ReadonlyMap<string, Buffer>;

  /** @throws Error when the console has not been built */
  constructor(directory = builtDirectory()) {
    const described = JSON.parse(
      readFileSync(join(directory, 'manifest.json'), 'utf8'),
    ) as Described[];
    this.#files = new Map(described.map((file) => [file.path, file]));
    const names = described.flatMap(({ path }) => [
      path,
      ...CODINGS.map(([, ending]) => `${path}${ending}`),
    ]);
    this.#contents = new Map(
      names
        .filter((name) => existsSync(join(directory, name)))
        .map((name) => [name, readFileSync(join(directory, name))]),
    );
  }

  /**
   * Undefined: there is no such file.
   *
   * @param accepted the Accept-Encoding header
   */
  find(path: string, accepted: string): Asset | undefined {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    for (const [coding, ending] of CODINGS) {
      const content = accepts(accepted, coding) ? this.#contents.get(path + ending) : undefined;
      if (content !== undefined) return { ...file, coding, content };
    }
    const content = this.#contents.get(path);
    return content && { ...file, coding: undefined, content };
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
