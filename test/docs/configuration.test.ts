import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationReference } from './configuration.ts';

const FILE = resolve(import.meta.dirname, '../../docs/configuration.md');

describe('docs/configuration.md', () => {
  it('is what the flags say', () => {
    const expected = configurationReference();
    if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(FILE, expected);
    assert.equal(
      readFileSync(FILE, 'utf8'),
      expected,
      'run UPDATE_DOCS=1 mocha test/docs/configuration.test.ts',
    );
  });
});
