import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, rowOf, testKept, testRefused } from '../testing/harness.ts';
import { serviceAccountDefinition as definition } from './service-account.ts';

function account(fields: JsonObject, name = 'builder'): JsonObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...fields };
}
const SECRETS = { secrets: [{ name: 'token' }], imagePullSecrets: [{ name: 'registry' }, {}] };

describe('ServiceAccount', () => {
  testKept(definition, {
    'what it may use': [account(SECRETS), account(SECRETS)],
    'that no token is mounted': [
      account({ automountServiceAccountToken: false }),
      account({ automountServiceAccountToken: false }),
    ],
  });

  testRefused(definition, {
    'a name that is not a domain': [account({}, 'Builder'), ['FieldValueInvalid metadata.name']],
  });

  it('shows how many secrets it names', () => {
    assert.equal(rowOf(definition, created(definition, account(SECRETS)).object)['Secrets'], 1);
  });
});
