import assert from 'node:assert/strict';
import { fieldsOf } from './managed-fields.ts';

describe('fields of an owner', () => {
  it('are listed as paths, with items by their keys', () => {
    const fieldsV1 = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:a.b/c': {} } },
      'f:spec': {
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:names': { 'v:"x"': {} },
      },
    };
    assert.deepEqual(fieldsOf({ fieldsV1 }), [
      'metadata.labels["a.b/c"]',
      'spec.ports[port=80,protocol="TCP"].port',
      'spec.names[="x"]',
    ]);
  });

  it('are empty when the entry cannot be read', () => {
    assert.deepEqual(fieldsOf({ fieldsV1: 'x' }), []);
    assert.deepEqual(fieldsOf({ fieldsV1: { 'k:{': {} } }), ['[{]']);
  });
});
