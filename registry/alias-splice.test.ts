import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseStoredJson } from '../api/json-parse.ts';
import type { JsonObject } from '../api/json.ts';
import { apiObjectOf } from '../api/object.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import { withAliasSpliced } from './alias-splice.ts';

const GROUP = 'coordination.cluster.io';
const NEUTRAL = `${GROUP}/v1`;
const ALIAS = 'coordination.k8s.io/v1';

function bytesOf(apiVersion: string, spec: JsonObject, managers: number): Buffer {
  const managedFields = Array.from({ length: managers }, (_, i) => ({
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { [`f:${i}`]: {} } },
    manager: `m${i}`,
    operation: 'Update',
  }));
  return encodeServed(
    apiObjectOf({
      apiVersion,
      kind: 'Lease',
      metadata: { name: 'a', ...(managers === 0 ? {} : { managedFields }) },
      spec,
    }),
  );
}

describe('bytes under the alias of their group', () => {
  it('differ in the apiVersion of the object and of its managers alone (property)', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(NEUTRAL, `{"apiVersion":"${NEUTRAL}`, `"apiVersion":"${NEUTRAL}"`),
    );
    fc.assert(
      fc.property(fc.dictionary(text, text), fc.nat({ max: 3 }), (spec, managers) => {
        const spliced = withAliasSpliced(bytesOf(NEUTRAL, { ...spec }, managers), GROUP);
        assert.deepEqual(
          parseStoredJson(spliced),
          parseStoredJson(bytesOf(ALIAS, { ...spec }, managers)),
        );
      }),
    );
  });

  it('stay what they are where they name another group', () => {
    const bytes = bytesOf('example.com/v1', {}, 2);
    assert.deepEqual(withAliasSpliced(bytes, GROUP), bytes);
  });
});
