import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { REGENERATE, resourcesDocument } from './document.ts';

describe('docs/resources.md', () => {
  it('shows the operations that the definitions have', () => {
    const written = readFileSync('docs/resources.md', 'utf8');
    assert.ok(written === resourcesDocument(), `it is out of date: run ${REGENERATE}`);
  });
});
