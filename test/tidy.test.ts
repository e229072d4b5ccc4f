import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const MAX_LINES = 300;
/** Tables of cases may be longer. */
const MAX_TEST_LINES = 500;

/** Files that are longer for a reason; the list may only shrink. */
const LONG_FILES: Readonly<Record<string, string>> = {};

/** Packages that only one place may know. */
const EXCLUSIVE: Readonly<Record<string, RegExp>> = {
  express: /^server\//,
  etcd3: /^storage\/etcd\//,
  cockatiel: /^storage\/etcd\//,
  lmdb: /^storage\/embedded\//,
};

/** Rooms and what they import, as docs/architecture.md says. */
function roomTable(): Map<string, ReadonlySet<string>> {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const rooms = new Map<string, ReadonlySet<string>>();
  for (const [, names = '', imports = ''] of text.matchAll(
    /^\| (`[^|]+) \|[^|]*\| ([^|]+) \|$/gm,
  )) {
    const allowed = new Set(imports.trim() === '–' ? [] : imports.split(',').map((s) => s.trim()));
    for (const [, room = ''] of names.matchAll(/`([a-z]+)\/`/g)) rooms.set(room, allowed);
  }
  return rooms;
}

function* sources(dir: string): Iterable<string> {
  for (const entry of readdirSync(join(ROOT, dir), { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts')) yield path;
  }
}

const rooms = roomTable();
const files = [...rooms.keys()]
  .filter((room) => existsSync(join(ROOT, room)))
  .flatMap((room) => [...sources(room)]);
const isTest = (file: string): boolean =>
  /\.test\.ts$|\/testing\.ts$|\/testing\//.test(file) || /^(test|bench|examples)\//.test(file);

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
}

describe('the tree is tidy', () => {
  it('has the rooms that docs/architecture.md lists, and no others', () => {
    const known = new Set([
      ...rooms.keys(),
      'deploy',
      'docs',
      'dist',
      'data',
      'node_modules',
      'coverage',
    ]);
    const found = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name);
    assert.deepEqual(
      found.filter((name) => !known.has(name)),
      [],
    );
    assert.ok(rooms.size >= 11, 'the table was found');
  });

  it('a room imports only what is listed for it', () => {
    const wrong: string[] = [];
    for (const file of files) {
      if (isTest(file)) continue;
      const room = file.split('/')[0]!;
      const allowed = rooms.get(room)!;
      for (const target of importsOf(file)) {
        if (!target.startsWith('.')) continue;
        const other = relative(ROOT, resolve(ROOT, dirname(file), target)).split('/')[0]!;
        if (other !== room && !allowed.has(other) && !allowed.has('all')) {
          wrong.push(`${file} imports ${other}/`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('Express, the etcd client and LMDB are known to one place each', () => {
    const wrong: string[] = [];
    for (const file of files) {
      if (isTest(file)) continue;
      for (const target of importsOf(file)) {
        const allowed = EXCLUSIVE[target.split('/')[0]!];
        if (allowed !== undefined && !allowed.test(file)) wrong.push(`${file} imports ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('only the programs read the arguments and the environment', () => {
    const wrong = files.filter(
      (file) =>
        !isTest(file) &&
        !['server/main.ts', 'server/probe.ts'].includes(file) &&
        /process\.(env|argv)/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });

  it(`files have at most ${MAX_LINES} lines`, () => {
    const long = files.filter(
      (file) =>
        readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 >
        (isTest(file) ? MAX_TEST_LINES : MAX_LINES),
    );
    assert.deepEqual(
      long.filter((file) => !(file in LONG_FILES)),
      [],
    );
    for (const file of Object.keys(LONG_FILES)) {
      assert.ok(long.includes(file), `${file} is not long any more: take it off the list`);
    }
  });

  it('there is no utils folder, no barrel, nothing left to do', () => {
    for (const file of files) {
      assert.ok(!/(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/.test(file), file);
      assert.notEqual(basename(file), 'index.ts', file);
      assert.ok(
        !/\b(FIXME|XXX|TODO)\b/.test(
          readFileSync(join(ROOT, file), 'utf8').replace(/'[^']*'|\/[^/\n]*TODO[^/\n]*\//g, ''),
        ),
        `${file}: something is left to do`,
      );
    }
  });

  it('links and file names in the documents lead somewhere', () => {
    const documents = [...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })]
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name));
    for (const document of ['README.md', 'CONTRIBUTING.md', ...documents]) {
      const text = readFileSync(join(ROOT, document), 'utf8');
      for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
        if (/^https?:/.test(link)) continue;
        assert.ok(existsSync(join(ROOT, dirname(document), link)), `${document}: ${link}`);
      }
      for (const [, name = ''] of text.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g)) {
        assert.ok(existsSync(join(ROOT, name)), `${document} names ${name}`);
      }
    }
  });
});
