import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../api/json.ts';
import { difference } from './field-set-at-once.ts';
import { entriesOf, identityText, type Manager } from './managers.ts';
import { readManagers } from './managers-at-once.ts';
import { mergeObjects } from './merge-at-once.ts';
import { kinds, Run, stepsOf, type Shape, type Step } from './model-testing.ts';
import { withoutEntries } from './never-owned.ts';
import * as inSteps from './prune.ts';
import { fieldsToRemove, ownedFields } from './prune-at-once.ts';
import { removeFields } from './remove-at-once.ts';
import { atOnce } from '../../api/steps.ts';
import { fieldsOfValue } from './value-fields-at-once.ts';
import { Versions } from './versions.ts';
import { viewOf } from './view-at-once.ts';

/** What an apply would remove, worked out on the whole object and on the part that matters. */
function removedBoth(run: Run, { manager, config }: Step): [JsonObject, JsonObject] | undefined {
  const { kind, object } = run.o;
  if (object === undefined) return undefined;
  const versions = new Versions(kind);
  const live = versions.typed(withoutEntries(object));
  const managers = new Map(readManagers(entriesOf(object)));
  const applied = { apiVersion: kind.apiVersion, kind: kind.kind, spec: config };
  const identity = {
    name: manager,
    operation: 'Apply' as const,
    apiVersion: undefined,
    subresource: '',
  };
  const last = managers.get(identityText(identity));
  if (last === undefined) return undefined;
  const fields = fieldsOfValue(live.schema, applied);
  const current: Manager = { identity, apiVersion: kind.apiVersion, fields, time: undefined };
  managers.set(identityText(identity), current);

  const merged = { ...live, object: mergeObjects(live.schema, live.object, applied) };
  const givenUp = difference(last.fields, fields);
  const part = viewOf(live.schema, merged.object, givenUp, ownedFields(managers));
  const view = { ...merged, object: part as JsonObject };
  const fromWhole = atOnce(inSteps.fieldsToRemove(versions, merged, managers, last.fields));
  const fromPart = fieldsToRemove(versions, view, managers, last.fields);
  return [
    removeFields(live.schema, merged.object, fromWhole),
    removeFields(live.schema, merged.object, fromPart),
  ];
}

describe('what an apply gives up', () => {
  it('is the same whether the whole object is looked at or the part in which something is given up', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        kinds.chain((kind) =>
          fc.tuple(
            fc.constant(kind),
            stepsOf(kind, fc.constantFrom('apply', 'force', 'force', 'update')),
          ),
        ),
        ([kind, steps]: [Readonly<Record<string, Shape>>, Step[]]) => {
          const run = new Run(kind);
          for (const step of steps) {
            const both = step.how === 'update' ? undefined : removedBoth(run, step);
            if (both !== undefined) {
              assert.deepEqual(both[1], both[0]);
              compared++;
            }
            run.do(step);
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(compared > 100);
  });
});
