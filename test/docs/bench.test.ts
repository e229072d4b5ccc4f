import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type } from './blocks.ts';

const COMMANDS = [
  ...readFileSync(join(ROOT, 'bench/README.md'), 'utf8').matchAll(
    /^\| `((?:npm run bench|node) [^`]+)`/gm,
  ),
].map(([, command = '']) => command);

/** What is built already is not built again; sizes that come later on a line win. */
const PRELUDE =
  'npm() { test "$1 $2 $3" = "run bench --"; shift 3; node --import=tsx bench/main.ts "$@"; }';

/** Commands of bench/README.md on sizes that take seconds; the figures mean nothing then. */
const SMALL: readonly { begins: string; sizes: string; tells: RegExp }[] = [
  {
    begins: 'npm run bench -- --rows list',
    sizes: '--objects 100 --seconds 0.1 --servers embedded',
    tells: /^list 1 % by label\tembedded\t/m,
  },
  {
    begins: 'node --import=tsx bench/crd.ts',
    sizes: '--definitions 5 --kilobytes 2 --used 2',
    tells: /^2 of them used: /m,
  },
  { begins: 'node --import=tsx bench/schema.ts', sizes: '', tells: /^12 compiled rules /m },
];

describe('bench/README.md', function () {
  this.timeout(120_000);
  for (const { begins, sizes, tells } of SMALL) {
    it(`${begins}: it measures, as it is printed`, async () => {
      const command = COMMANDS.find((one) => one.startsWith(begins));
      assert.ok(command, 'it is printed');
      assert.match(await type(`${command} ${sizes}`, { cwd: ROOT, prelude: PRELUDE }), tells);
    });
  }
});
