import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const TEXTS = 40;
const TEXT_BYTES = 1_000_000;

/**
 * Shows a part of each of 40 long texts to `look`, and asserts that the texts do not stay in
 * memory. `part`: what is cut out, for a number.
 */
export function assertTextsGo(part: (i: number) => string, look: (cut: string) => void): void {
  const before = heapBytes();
  for (let i = 0; i < TEXTS; i++) {
    const own = part(i);
    const text = Buffer.from(own.padEnd(TEXT_BYTES, '?')).toString();
    look(text.slice(0, own.length));
  }
  // buffers that are free are given back a little later
  const grown = heapBytes() - before;
  assert.ok(grown < (TEXTS * TEXT_BYTES) / 2, `${grown} bytes more`);
}

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
