import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationReference } from './configuration.ts';

const FILE = resolve(import.meta.dirname, '../../docs/configuration.md');

describe('docs/configuration.md', () => {
  it('is what the flags say', () => {
    const expected = configurationReference();
    assert.equal(readFileSync(FILE, 'utf8'), expected, 'run npm run docs:configuration');
  });
});
