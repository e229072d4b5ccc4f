import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { decoded, rowOf, servedVersion } from '../testing/harness.ts';
import { componentStatusDefinition as definition } from './component-status.ts';

function component(...conditions: JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name: 'store-0' }, conditions };
}

describe('ComponentStatus', () => {
  it('is only read, and says that it is deprecated', () => {
    assert.deepEqual(definition.verbs, ['get', 'list']);
    assert.equal(
      servedVersion(definition).deprecation,
      'v1 ComponentStatus is deprecated in v1.19+',
    );
  });

  it('shows its health in tables', () => {
    const row = (...conditions: JsonObject[]): JsonObject =>
      rowOf(definition, decoded(definition, component(...conditions)).object);
    assert.deepEqual(row({ type: 'Healthy', status: 'True', message: 'ok' }), {
      Name: 'store-0',
      Status: 'Healthy',
      Message: 'ok',
      Error: '',
    });
    assert.deepEqual(
      row(
        { type: 'Other', status: 'True' },
        { type: 'Healthy', status: 'False', error: 'refused' },
      ),
      { Name: 'store-0', Status: 'Unhealthy', Message: '', Error: 'refused' },
    );
    assert.equal(row()['Status'], 'Unknown');
  });
});
