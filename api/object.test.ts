import assert from 'node:assert/strict';
import type { JsonObject } from './json.ts';
import { apiObjectOf, NotAnObject } from './object.ts';

describe('apiObjectOf', () => {
  it('returns the same JSON value with its metadata', () => {
    const json = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, n: 1 };
    assert.equal(apiObjectOf(json), json);
    for (const metadata of [{}, { metadata: null }]) {
      const bare: JsonObject = { apiVersion: 'v1', kind: 'Thing', ...metadata };
      assert.deepEqual(apiObjectOf(bare).metadata, {});
    }
  });

  it('refuses JSON that is not an object of any kind', () => {
    const good = { apiVersion: 'v1', kind: 'Thing', metadata: {} };
    for (const wrong of [{ apiVersion: 1 }, { kind: null }, { metadata: [] }, { metadata: 'a' }]) {
      assert.throws(() => apiObjectOf({ ...good, ...wrong }), NotAnObject, JSON.stringify(wrong));
    }
  });
});
