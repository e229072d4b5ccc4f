import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { movedRows } from '../../bench/load/compare.ts';
import { peerOf } from '../../bench/load/peer.ts';
import type { Row } from '../../bench/load/rounds.ts';
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
  {
    begins: 'npm run bench -- --http2',
    sizes: '--objects 100 --operations 100 --repeat 2 --servers embedded --rows update',
    // The last column counts failures.
    tells: /^update\tembedded\t(?:[^\t]+\t){5}0\nupdate\tembedded HTTP\/2\t(?:[^\t]+\t){5}0$/m,
  },
  { begins: 'node --import=tsx bench/schema.ts', sizes: '', tells: /^12 compiled rules /m },
];

describe('bench/README.md', function () {
  for (const { begins, sizes, tells } of SMALL) {
    it(`${begins}: it measures, as it is printed`, async () => {
      const command = COMMANDS.find((one) => one.startsWith(begins));
      assert.ok(command, 'it is printed');
      assert.match(await type(`${command} ${sizes}`, { cwd: ROOT, prelude: PRELUDE }), tells);
    });
  }
});

describe('bench', () => {
  const row = (median: number, half: number): Row => ({
    ...{ row: 'create', server: 'etcd', failures: 0 },
    figures: { cpuMs: { median, low: median - half, high: median + half } },
  });

  it('names a figure that has moved, and by how much', () => {
    const worse = movedRows([row(0.6, 0.02)], [row(0.4, 0.02)]);
    assert.deepEqual(worse, ['WORSE\tcreate\tetcd\tCPU ms/op 0.400 to 0.600 (50 %)']);
    assert.match(movedRows([row(0.3, 0.02)], [row(0.4, 0.02)])[0] ?? '', /^better\t/);
  });

  it('is silent where the rounds of both runs overlap or the change is small', () => {
    assert.deepEqual(movedRows([row(0.6, 0.2)], [row(0.5, 0)]), []);
    assert.deepEqual(movedRows([row(0.41, 0)], [row(0.4, 0)]), []);
    assert.deepEqual(movedRows([row(0.6, 0)], []), []);
  });

  it('reads the fields of a peer, and names the one that is wrong', () => {
    const peer = peerOf('name=kube,url=https://127.0.0.1:6443,token=a=b,pids=12+34');
    assert.deepEqual(peer.endpoint, { url: 'https://127.0.0.1:6443', token: 'a=b' });
    assert.deepEqual([peer.name, peer.pids, peer.group], ['kube', [12, 34], 'coordination.k8s.io']);
    assert.throws(() => peerOf('url=nowhere'), /url must be a URL/);
    assert.throws(() => peerOf('url=https://a,pids=x'), /pids must be numbers/);
    assert.throws(() => peerOf('url=https://a,port=1'), /port=1 is none of/);
  });
});
