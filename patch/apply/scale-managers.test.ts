import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { ManagedFieldsEntry } from '../../api/object.ts';
import { V1 } from '../testing.ts';
import { entriesAfterScale, entriesOfScale, SCALE_API_VERSION } from './scale-managers.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';

const paths = new Map([
  [V1, ['spec', 'workers', 'count']],
  ['example.com/v2', undefined],
]);
const time = '2026-01-01T00:00:00Z';

const entry = (
  manager: string,
  fieldsV1: JsonObject,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: V1,
  time,
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const json = (entries: ManagedFieldsEntry[]): JsonValue => entries;
const COUNT = { 'f:spec': { 'f:workers': { 'f:count': {} } } };
const WITH_IMAGE = { 'f:spec': { 'f:image': {}, 'f:workers': { 'f:count': {} } } };
const REPLICAS = { 'f:spec': { 'f:replicas': {} } };

describe('managed fields of a scale', () => {
  it("the owner of the object's replicas owns the replicas of its scale", () => {
    const entries = [
      entry('a', WITH_IMAGE),
      entry('b', { 'f:spec': { 'f:image': {} } }),
      entry('c', COUNT, { apiVersion: 'example.com/v2' }),
      entry('d', COUNT, { apiVersion: 'example.com/v0' }),
    ];
    assert.deepEqual(entriesOfScale(json(entries), paths), [
      entry('a', REPLICAS, { apiVersion: SCALE_API_VERSION }),
    ]);
  });

  it('the writer of the scale owns the replicas of the object', () => {
    const scale = [
      entry('scaler', REPLICAS, { apiVersion: SCALE_API_VERSION, subresource: 'scale' }),
    ];
    const { time: _time, ...written } = entry('scaler', COUNT, { subresource: 'scale' });
    assert.deepEqual(
      entriesAfterScale(json([entry('a', WITH_IMAGE), entry('z', COUNT)]), scale, paths, V1),
      [written, entry('a', { 'f:spec': { 'f:image': {} } })],
    );
  });

  it('an apply that still owns the replicas keeps its entry as it is', () => {
    const apply = entry('a', WITH_IMAGE, { operation: 'Apply' });
    const scale = entriesOfScale(json([apply]), paths);
    assert.deepEqual(entriesAfterScale(json([apply]), scale, paths, V1), [apply]);
  });

  it('entries of versions without a scale stay, those of versions that are gone go', () => {
    const other = entry('b', COUNT, { apiVersion: 'example.com/v2' });
    const gone = entry('c', COUNT, { apiVersion: 'example.com/v0' });
    assert.deepEqual(entriesAfterScale(json([other, gone]), [], paths, V1), [other]);
  });

  it('entries that cannot be read are an error', () => {
    assert.throws(() => entriesOfScale([{ operation: 'Create' }], paths), ManagedFieldsError);
  });
});
