import assert from 'node:assert/strict';
import { stringFormat } from '../formats/registry.ts';

/** For each format: texts that are of it, texts that are not. */
export type FormatCases = Record<string, [accepted: string[], refused: string[]]>;

export function testFormats(cases: FormatCases): void {
  for (const [format, [accepted, refused]] of Object.entries(cases)) {
    it(format, () => {
      const check = stringFormat(format);
      assert.ok(check);
      for (const text of accepted) assert.equal(check(text), true, JSON.stringify(text));
      for (const text of refused) assert.equal(check(text), false, JSON.stringify(text));
    });
  }
}
