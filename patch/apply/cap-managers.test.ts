import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { ManagedObject, members, mergeSchema, testKind } from '../testing.ts';
import { ANCIENT_CHANGES, MAX_UPDATE_MANAGERS } from './cap-managers.ts';

const kind = testKind(
  mergeSchema({
    properties: { env: { type: 'object', additionalProperties: { type: 'string' } } },
  }),
);
const app = (): ManagedObject => new ManagedObject(kind);
const change = (values: JsonObject) => (object: JsonObject) => {
  object['spec'] = { ...(object['spec'] as JsonObject), ...values };
};

describe('plain writes: the limit of managers', () => {
  const write = (o: ManagedObject, n: number): ManagedObject => {
    o.now += 1000;
    return o.update(`m${String(n).padStart(2, '0')}`, (object) =>
      change({ env: { ...envOf(object), [`K${n}`]: 'x' } })(object),
    );
  };
  const envOf = (object: JsonObject): JsonObject =>
    ((object['spec'] as JsonObject | undefined)?.['env'] ?? {}) as JsonObject;

  it('ten update entries are kept, the oldest become ancient-changes', () => {
    const o = app();
    for (let n = 1; n <= MAX_UPDATE_MANAGERS; n++) write(o, n);
    assert.equal(o.entries.length, 10);
    write(o, 11);
    assert.deepEqual(
      o.entries.map((e) => e.manager),
      [
        ANCIENT_CHANGES,
        ...[3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `m${String(n).padStart(2, '0')}`),
      ],
    );
    assert.deepEqual(o.owners[`${ANCIENT_CHANGES} Update`], {
      'f:spec': { '.': {}, 'f:env': members('.', 'K1', 'K2') },
    });
    assert.equal(o.entries[0]?.time, '2026-01-01T00:00:02Z');
    write(o, 12);
    assert.equal(o.entries.length, 10);
    assert.deepEqual(o.owners[`${ANCIENT_CHANGES} Update`], {
      'f:spec': { '.': {}, 'f:env': members('.', 'K1', 'K2', 'K3') },
    });
  });

  it('apply entries do not count', () => {
    const o = app();
    for (let n = 0; n < 15; n++) o.apply(`a${n}`, { spec: { env: { [`A${n}`]: 'x' } } });
    assert.equal(o.entries.length, 15);
  });

  it('no field is lost by it', () => {
    const o = app();
    for (let n = 1; n <= 30; n++) write(o, n);
    const all = o.entries.flatMap((e) =>
      Object.keys((e.fieldsV1?.['f:spec'] as JsonObject | undefined)?.['f:env'] ?? {}),
    );
    assert.equal(new Set(all.filter((k) => k.startsWith('f:K'))).size, 30);
  });
});
