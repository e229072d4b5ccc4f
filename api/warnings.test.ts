import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { Warnings } from './warnings.ts';

function headersOf(...texts: string[]): string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers().map((header) => header.slice('299 - "'.length, -1));
}

describe('warnings', () => {
  it('are valid header values whatever their text', () => {
    for (let code = 0; code <= 0x3000; code++) {
      const warnings = new Warnings();
      warnings.add(`a${String.fromCharCode(code)}b`);
      for (const value of warnings.headers()) validateHeaderValue('warning', value);
    }
  });

  it('are sent once each, in order', () => {
    assert.deepEqual(headersOf('b', 'a', '', 'b'), ['b', 'a']);
  });

  it('are truncated when they are too long together', () => {
    const [long, short] = ['x'.repeat(5_000), 'y'];
    assert.deepEqual(headersOf(short, long), [short, 'x'.repeat(256)]);
    assert.deepEqual(headersOf('x'.repeat(4_096)), ['x'.repeat(4_096)]);
  });

  it('are dropped beyond the total limit', () => {
    const texts = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(256, '0'));
    assert.deepEqual(headersOf(...texts), texts.slice(0, 17));
    const later = ['x'.repeat(5_000), ...texts];
    assert.deepEqual(headersOf(...later), ['x'.repeat(256), ...texts.slice(0, 15)]);
  });

  it('stay below the header limits of clients, however short they are', () => {
    const texts = Array.from({ length: 40_000 }, (_, i) => String(i));
    assert.deepEqual(headersOf(...texts), texts.slice(0, 250));
  });
});
