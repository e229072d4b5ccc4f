import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../api/json-write.ts';
import { deepEqual } from '../../api/json.ts';
import { kinds, Run, stepsOf, type Lists, type Shape, type Step } from './model-testing.ts';

const runs = { numRuns: 100 };
const scenario = (
  how: fc.Arbitrary<Step['how']>,
  lists: Lists = 'any',
): fc.Arbitrary<[Readonly<Record<string, Shape>>, Step[]]> =>
  kinds.chain((kind) => fc.tuple(fc.constant(kind), stepsOf(kind, how, lists)));
const anyWrite = fc.constantFrom<Step['how'][]>('apply', 'apply', 'force', 'update');

describe('apply: the model', () => {
  it('owned fields are never lost or changed without force or give-up', () => {
    fc.assert(
      fc.property(scenario(fc.constant('apply'), 'not empty'), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          const before = run.content.held;
          const others = run.allOwners.filter(([id]) => id !== `${step.manager} Apply`);
          run.do(step);
          const after = run.content.held;
          for (const [id, owned] of others) {
            const now = new Map(run.allOwners).get(id);
            assert.deepEqual(now, owned, `${id} owns what it owned`);
            for (const path of owned) assert.ok(deepEqual(after.get(path), before.get(path)), path);
          }
        }
      }),
      runs,
    );
  });

  it('after an apply the object has what the configuration says, and nothing without an origin', () => {
    fc.assert(
      fc.property(scenario(anyWrite), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          const before = run.content.held;
          if (!run.do(step)) {
            assert.deepEqual(run.content.held, before, 'a conflict changes nothing');
            continue;
          }
          const { held } = run.content;
          const wanted = run.contentOf(step.config);
          for (const path of wanted.named)
            assert.ok(deepEqual(held.get(path), wanted.held.get(path)), path);
          for (const path of held.keys())
            assert.ok(wanted.held.has(path) || before.has(path), path);
        }
      }),
      runs,
    );
  });

  it('what a manager owns by apply are the fields of its configuration', () => {
    fc.assert(
      fc.property(scenario(fc.constantFrom('apply', 'force')), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          if (run.do(step))
            assert.deepEqual(run.owned(step.manager), run.contentOf(step.config).named);
        }
      }),
      runs,
    );
  });

  it('every owned field is in the object, and every field has an owner', () => {
    fc.assert(
      fc.property(scenario(fc.constantFrom('apply', 'force')), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          run.do(step);
          const owned = new Set(run.allOwners.flatMap(([, paths]) => [...paths]));
          const { held, named } = run.content;
          for (const path of owned) assert.ok(held.has(path), path);
          for (const path of named) assert.ok(owned.has(path), path);
        }
      }),
      runs,
    );
  });

  it('after updates, too, nothing is owned that is not there', () => {
    fc.assert(
      fc.property(scenario(anyWrite), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          run.do(step);
          const { held } = run.content;
          for (const [id, paths] of run.allOwners) {
            for (const path of paths) assert.ok(held.has(path), `${id} ${path}`);
          }
        }
      }),
      runs,
    );
  });

  it('applying twice changes nothing the second time', () => {
    fc.assert(
      fc.property(scenario(anyWrite, 'not empty'), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          if (!run.do(step) || step.how === 'update') continue;
          const before = canonicalJson(run.o.object ?? {});
          run.o.now += 60_000;
          assert.ok(run.do(step));
          assert.equal(canonicalJson(run.o.object ?? {}), before);
        }
      }),
      runs,
    );
  });

  it('the order of applies that do not disagree does not matter', () => {
    fc.assert(
      fc.property(
        scenario(fc.constant('apply'), 'not empty'),
        fc.infiniteStream(fc.nat()),
        ([kind, steps], random) => {
          const each = [...new Map(steps.map((step) => [step.manager, step])).values()];
          const one = new Run(kind);
          if (!each.every((step) => one.do(step))) return;
          const shuffled = [...each].sort(() => ((random.next().value as number) % 2) - 0.5);
          const two = new Run(kind);
          for (const step of shuffled) assert.ok(two.do(step));
          assert.deepEqual(two.content.held, one.content.held);
          assert.deepEqual(new Map(two.allOwners), new Map(one.allOwners));
        },
      ),
      runs,
    );
  });

  it('a conflict names exactly the fields of others that would change', () => {
    fc.assert(
      fc.property(scenario(fc.constant('apply')), ([kind, steps]) => {
        const run = new Run(kind);
        for (const step of steps) {
          const before = run.content.held;
          const wanted = run.contentOf(step.config);
          const others = run.allOwners.filter(([id]) => id !== `${step.manager} Apply`);
          const expected = others.flatMap(([, owned]) =>
            [...owned].filter(
              (path) =>
                wanted.named.has(path) && !deepEqual(wanted.held.get(path), before.get(path)),
            ),
          );
          const found = run.o.conflicts(step.manager, { spec: step.config });
          assert.deepEqual(
            found.map((path) => path.replace(/^\.spec/, '')).sort(),
            expected.sort(),
          );
          run.do(step);
        }
      }),
      runs,
    );
  });
});
