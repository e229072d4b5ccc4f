import assert from 'node:assert/strict';
import fc from 'fast-check';
import { act, OBJECTS } from '../../test/controllers/garbage-acts.ts';
import { GarbageChecker } from '../../test/controllers/garbage-checker.ts';
import { GarbageModel } from '../../test/controllers/garbage-model.ts';

const RUNS = process.env['PLINTH_TEST_LONG'] === undefined ? 100 : 2_000;

describe('garbage collection of random graphs, by two collectors at once', () => {
  it('deletes nothing that should live and leaves nothing that should go', async () => {
    const seen = { runs: 0, objects: 0, collected: 0 };
    const property = fc.asyncProperty(
      fc.array(act, { minLength: 20, maxLength: 60 }),
      fc.nat(1e6),
      async (acts, seed) => {
        const model = new GarbageModel(seed);
        await model.start();
        try {
          for (let object = 0; object < OBJECTS; object++) {
            const owner = Math.floor(object / 2);
            await model.play({ act: 'create', object, owner, block: object % 3 === 0 });
          }
          for (const step of acts) await model.play(step);
          model.catchUp();
          for (let object = 0; object < OBJECTS; object++) {
            await model.play({ act: 'release', object });
          }
          await model.world.pass(30_000);
          const { log } = model.world.store;
          const checker = new GarbageChecker(log, model.userRevisions);
          assert.deepEqual(checker.problems, []);
          assert.deepEqual(checker.leftovers(), []);
          seen.runs++;
          seen.objects += checker.state.size;
          seen.collected += log.filter(
            ({ type, revision }) => type === 'delete' && !model.userRevisions.has(String(revision)),
          ).length;
        } finally {
          await model.stop();
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    // a test that nothing happens in shows nothing
    assert.ok(seen.collected > seen.runs && seen.objects > seen.runs, JSON.stringify(seen));
  }).timeout(600_000);
});
