import assert from 'node:assert/strict';
import {
  circleIn,
  FILES,
  importsOf,
  isTest,
  loadsOf,
  PROGRAMS,
  readText,
  ROOMS,
  SERVED,
} from './tree.ts';

/** No room holds more than this part of the server's lines. */
const LARGEST_PART = 0.15;
/** Above this many lines, docs/architecture.md lists the folders of a room, too. */
const LINES_WITHOUT_FOLDERS = 3000;

/** Packages that only one place imports. */
const EXCLUSIVE: Readonly<Record<string, RegExp>> = {
  express: /^http\//,
  lmdb: /^storage\/embedded\//,
};

interface Row {
  /** `watch` for a room, `storage/etcd` for a folder. */
  readonly place: string;
  readonly imports: readonly string[];
}

/** Rows of the import tables of docs/architecture.md, in their order. */
const ROWS: readonly Row[] = [
  ...readText('docs/architecture.md').matchAll(/^\| (`[^|]+) \|[^|]*\| ([^|]+) \|$/gm),
].flatMap(([, names = '', imports = '']) =>
  [...names.matchAll(/`([a-z][a-z0-9/-]*)\/`/g)].map(([, place = '']) => ({
    place,
    imports: imports.trim() === '–' ? [] : imports.split(',').map((name) => name.trim()),
  })),
);
const ROOM_ROWS = ROWS.filter(({ place }) => !place.includes('/'));
const FOLDER_ROWS = ROWS.filter(({ place }) => place.includes('/'));

const linesOf = (file: string): number => readText(file).split('\n').length - 1;
const roomOf = (file: string): string => file.split('/')[0] ?? '';
/** The folder of a file within its room; the file itself where it stands at the room's root. */
const folderOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** What each node imports of the others, for the files of the server. */
function graphOf(
  files: readonly string[],
  nodeOf: (file: string) => string,
  targetsOf = importsOf,
): Map<string, Set<string>> {
  const known = new Set(files);
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nodeOf(file);
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const target of targetsOf(file)) {
      if (known.has(target) && nodeOf(target) !== from) targets.add(nodeOf(target));
    }
  }
  return graph;
}

/** Drops imports between two files at a room's root: a folder is what must not close a circle. */
function withoutRootPairs(graph: ReadonlyMap<string, Set<string>>): Map<string, Set<string>> {
  const isRootFile = (node: string): boolean => node.endsWith('.ts');
  return new Map(
    [...graph].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => !(isRootFile(from) && isRootFile(to)))),
    ]),
  );
}

const roomGraph = graphOf(SERVED, roomOf);
const roomLines = new Map<string, number>();
for (const file of SERVED) {
  roomLines.set(roomOf(file), (roomLines.get(roomOf(file)) ?? 0) + linesOf(file));
}
const largeRooms = [...roomLines].filter(([, lines]) => lines > LINES_WITHOUT_FOLDERS);

describe('the rooms', () => {
  it('are those that docs/architecture.md lists', () => {
    assert.deepEqual([...ROOMS].sort(), ROOM_ROWS.map(({ place }) => place).sort());
  });

  for (const { place, imports } of ROOM_ROWS.filter(({ imports }) => !imports.includes('all'))) {
    it(`${place}/ imports exactly the rooms that its row lists`, () => {
      assert.deepEqual([...(roomGraph.get(place) ?? [])].sort(), [...imports].sort());
    });
  }

  it('import only rooms that stand above them in the table', () => {
    const seen = new Set<string>();
    for (const { place, imports } of ROOM_ROWS) {
      if (!imports.includes('all')) {
        assert.deepEqual(
          imports.filter((room) => !seen.has(room)),
          [],
          `${place}/ imports rooms that are listed below it`,
        );
      }
      seen.add(place);
    }
  });

  it(`hold at most ${100 * LARGEST_PART} % of the code each`, () => {
    const all = [...roomLines.values()].reduce((sum, lines) => sum + lines, 0);
    for (const [room, lines] of roomLines) {
      assert.ok(lines <= all * LARGEST_PART, `${room}/ has ${lines} of ${all} lines`);
    }
  });

  it('list their folders where they are large, with what each folder imports of the others', () => {
    const found = new Map<string, string[]>();
    for (const [room] of largeRooms) {
      const inside = SERVED.filter((file) => roomOf(file) === room && file.split('/').length > 2);
      for (const [folder, targets] of graphOf(inside, folderOf)) {
        found.set(folder, [...targets].map((target) => target.slice(room.length + 1)).sort());
      }
    }
    const listed = new Map(FOLDER_ROWS.map(({ place, imports }) => [place, [...imports].sort()]));
    assert.deepEqual(Object.fromEntries([...listed].sort()), Object.fromEntries([...found].sort()));
  });

  it('have no circle of imports between files', () => {
    assert.equal(circleIn(graphOf(FILES, (file) => file, loadsOf))?.join(' -> '), undefined);
  });

  it('have no circle that leads through a folder', () => {
    for (const room of roomLines.keys()) {
      const inside = SERVED.filter((file) => roomOf(file) === room);
      assert.equal(
        circleIn(withoutRootPairs(graphOf(inside, folderOf)))?.join(' -> '),
        undefined,
        room,
      );
    }
  });

  it('keep Express and LMDB to one place each', () => {
    const wrong: string[] = [];
    for (const file of SERVED) {
      for (const target of importsOf(file)) {
        const allowed = EXCLUSIVE[target.split('/')[0] ?? ''];
        if (allowed !== undefined && !allowed.test(file)) wrong.push(`${file} imports ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('leave arguments and the environment to the programs', () => {
    const wrong = SERVED.filter(
      (file) => !PROGRAMS.has(file) && /process\.(env|argv)/.test(readText(file)),
    );
    assert.deepEqual(wrong, []);
  });

  it('never import a test', () => {
    const wrong = SERVED.filter((file) => importsOf(file).some((target) => isTest(target)));
    assert.deepEqual(wrong, []);
  });
});
