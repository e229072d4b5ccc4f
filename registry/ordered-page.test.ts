import assert from 'node:assert/strict';
import fc from 'fast-check';
import { apiObjectOf } from '../api/object.ts';
import { systemClock } from '../api/clock.ts';
import { revisionOf } from '../api/revision.ts';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import type { Snapshot } from '../watch/snapshot.ts';
import { noneConverter } from './conversion.ts';
import { orderedPage, orderOf } from './ordered-page.ts';
import { servedResource } from './served-resource.ts';
import { Views } from './views.ts';

const definition = leaseDefinition(ALL_FEATURE_GATES);
const resource = servedResource(definition, definition.versions[0]!);
const CHUNK = 20;

/** A collection in chunks that are far smaller than it is, as those of a large one are. */
function snapshotOf(entries: readonly Entry[]): Snapshot {
  return {
    revision: revisionOf(3n),
    get: (key) => Promise.resolve(entries.find((entry) => entry.key === key)),
    count: () => Promise.resolve(entries.length),
    // oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
    async *chunks() {
      for (let i = 0; i < entries.length; i += CHUNK) yield entries.slice(i, i + CHUNK);
    },
  };
}

const few = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });

describe('a page of a collection in an order', () => {
  it('is that of all objects sorted, and tells how many follow (property)', async () => {
    const views = new Views(noneConverter);
    const parts: any = { clock: systemClock, views };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(few, few), { minLength: 1, maxLength: 150, size: 'max' }),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('', ':desc'),
        fc.constantFrom('', ':desc'),
        fc.option(fc.nat(), { nil: undefined }),
        async (values, limit, direction, otherDirection, place) => {
          const rows = values.map(([first, second], i) => {
            const name = `n${String(i).padStart(3, '0')}`;
            const object = apiObjectOf({
              apiVersion: resource.apiVersion,
              kind: 'Lease',
              metadata: { name, namespace: 'a' },
              spec: {
                ...(first === undefined ? {} : { leaseDurationSeconds: first }),
                ...(second === undefined ? {} : { leaseTransitions: second }),
              },
            });
            const bytes = encodeStored(object);
            return { first, second, entry: Entry.fromStored(`a/${name}`, bytes, revisionOf(2n)) };
          });
          const entries = rows.map(({ entry }) => entry);
          const by = (x: number | undefined, y: number | undefined, isDown: boolean): number =>
            x === y ? 0 : x === undefined ? 1 : y === undefined ? -1 : isDown ? y - x : x - y;
          // the rows stand in the order of their names, which sorting keeps
          const sorted = rows
            .toSorted(
              (x, y) =>
                by(x.first, y.first, direction !== '') ||
                by(x.second, y.second, otherDirection !== ''),
            )
            .map(({ entry }) => entry.key);
          const at = place === undefined ? undefined : place % sorted.length;
          const left = at === undefined ? sorted : sorted.slice(at + 1);
          const order = orderOf(
            `spec.leaseDurationSeconds${direction},spec.leaseTransitions${otherDirection}`,
            resource,
          );
          assert.ok(order);
          const page = await orderedPage(parts, snapshotOf(entries), {
            resource,
            order,
            selection: {
              range: { start: '' },
              everything: true,
              isOne: false,
              matches: () => true,
            },
            limit,
            after: at === undefined ? undefined : sorted[at],
          });
          assert.deepEqual(
            page.items.map(({ key }) => key),
            left.slice(0, limit),
          );
          assert.equal(page.remaining, Math.max(0, left.length - limit));
        },
      ),
      { numRuns: 400 },
    );
  });
});
