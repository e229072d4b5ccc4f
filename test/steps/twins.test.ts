import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { SOURCES, twinOf, twinPath } from './twins.ts';

describe('work that is done at once', () => {
  for (const source of SOURCES) {
    it(`follows the rules of ${source}, which does it in steps`, async function () {
      const made = readFileSync(twinPath(source), 'utf8');
      assert.equal(made, await twinOf(source), 'run `npm run generate:twins`');
    });
  }

  it('has no other files', () => {
    const made = ['patch', 'patch/apply', 'schema/typed'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('-at-once.ts'))
        .map((name) => `${folder}/${name}`),
    );
    assert.deepEqual(made.sort(), SOURCES.map(twinPath).sort());
  });
});
