import assert from 'node:assert/strict';
import type { JsonValue } from '../api/json.ts';
import { Warnings } from '../api/warnings.ts';
import { decodeObject } from './body.ts';
import type { ServedResource } from './served-resource.ts';

const LEASE = {
  kind: { group: 'g', version: 'v1', kind: 'Lease' },
  apiVersion: 'g/v1',
  definition: { builtin: true },
} as unknown as ServedResource;

describe('the body of a write', () => {
  for (const [value, message] of [
    [
      [],
      /^Lease in version "v1" cannot be handled as a Lease: the body must be an object, not a list$/,
    ],
    ['x', /the body must be an object, not a string$/],
    [7, /the body must be an object, not a number$/],
    [true, /the body must be an object, not a boolean$/],
    [{ kind: 7 }, /\(must be of type Lease\): kind must be a string, not a number$/],
    [{ apiVersion: {} }, /: apiVersion must be a string, not an object$/],
    [{ apiVersion: [] }, /: apiVersion must be a string, not a list$/],
  ] as [JsonValue, RegExp][]) {
    it(`${JSON.stringify(value)} is refused in plain words, with the field`, async () => {
      await assert.rejects(
        async () => decodeObject({ value, duplicates: [] }, LEASE, 'Strict', new Warnings()),
        { code: 400, message },
      );
    });
  }
});
