import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { JsonValue } from '../../api/json.ts';
import { Encryption } from '../../storage/encryption/value-cipher.ts';
import { encryptionOf } from './config-file.ts';

const secret = randomBytes(32).toString('base64');
const key = { name: 'a', secret };
const KIND = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };

const encryption = (resources: JsonValue): Encryption =>
  new Encryption(encryptionOf({ ...KIND, resources }));
const rule = (resource: string, provider: JsonValue = { aesgcm: { keys: [key] } }): JsonValue => ({
  resources: [resource],
  providers: [provider],
});
const isEncrypted = (by: Encryption, at: string): boolean =>
  Buffer.from(by.encrypt(at, Buffer.from('{}'))).includes('k8s:enc:aesgcm:v1:a:');

describe('an encryption configuration', () => {
  const LEASE = 'coordination.cluster.io/leases/ns/a';
  const NODE = 'nodes/a';
  const cases: [string, string, boolean][] = [
    ['leases.coordination.cluster.io', LEASE, true],
    ['leases.coordination.k8s.io', LEASE, true],
    ['leases', LEASE, false],
    ['*.coordination.k8s.io', LEASE, true],
    ['*.*', LEASE, true],
    ['*.', LEASE, false],
    ['*.', NODE, true],
    ['nodes', NODE, true],
    ['node', NODE, false],
    ['*.*', 'compact-revision', false],
    ['*.', '.core/services/ns/a', true],
    ['services', '.core/services/ns/a', true],
    ['services.core', '.core/services/ns/a', true],
    ['deployments.apps', '.apps/deployments/ns/a', true],
    ['*.apps', '.apps/deployments/ns/a', true],
    ['deployments.apps', '.apps/daemonsets/ns/a', false],
    ['ingresses.networking.k8s.io', 'networking.k8s.io/ingresses/ns/a', true],
    ['*.networking.cluster.io', 'networking.k8s.io/ingresses/ns/a', true],
  ];
  for (const [resource, at, expected] of cases) {
    it(`${resource} ${expected ? 'is' : 'is not'} for ${at}`, () => {
      assert.equal(isEncrypted(encryption([rule(resource)]), at), expected);
    });
  }

  it('goes by the first rule that is for a resource', () => {
    const by = encryption([rule('nodes', { identity: {} }), rule('*.*')]);
    assert.equal(isEncrypted(by, NODE), false);
    assert.equal(isEncrypted(by, LEASE), true);
  });

  it('a value cannot be read elsewhere, changed, or cut off', () => {
    const by = encryption([rule('*.*')]);
    const stored = Buffer.from(by.encrypt(LEASE, Buffer.from('{"a":1}')));
    assert.equal(by.decrypt(LEASE, stored).toString(), '{"a":1}');
    assert.throws(() => by.decrypt('coordination.cluster.io/leases/ns/b', stored), /cannot read/);
    for (let i = 0; i < stored.length; i++) {
      const changed = Buffer.from(stored);
      changed[i] = changed[i]! ^ 1;
      assert.throws(() => by.decrypt(LEASE, changed), /cannot read/, `byte ${i}`);
    }
    assert.throws(() => by.decrypt(LEASE, stored.subarray(0, -1)), /cannot read/);
  });

  it('plain values are refused unless identity is among the providers', () => {
    assert.throws(() => encryption([rule('*.*')]).decrypt(LEASE, Buffer.from('{}')), /identity/);
  });

  it('the same value never looks the same', () => {
    const by = encryption([rule('*.*')]);
    const value = Buffer.from('{}');
    assert.notDeepEqual(by.encrypt(LEASE, value), by.encrypt(LEASE, value));
  });

  const wrong: [JsonValue, RegExp][] = [
    [[], /resources must not be empty/],
    [[rule('Leases')], /resources\[0\]\.resources\[0\]/],
    [[rule('*')], /\*\.\*/],
    [[rule('a', { aescbc: { keys: [key] } })], /aescbc is not supported/],
    [[rule('a', { aesgcm: { keys: [] } })], /keys must not be empty/],
    [[rule('a', { aesgcm: { keys: [{ name: 'a:b', secret }] } })], /name/],
    [[rule('a', { aesgcm: { keys: [{ name: 'a', secret: 'c2hvcnQ=' }] } })], /16, 24, 32 bytes/],
    [[rule('a', { identity: {}, aesgcm: { keys: [key] } })], /one provider/],
    [[{ resources: ['a'], providers: [] }], /providers must not be empty/],
  ];
  for (const [resources, message] of wrong) {
    it(`refuses ${JSON.stringify(resources).replaceAll(secret, '…')}`, () => {
      assert.throws(
        () => encryption(resources),
        (error: Error) => message.test(error.message) && !error.message.includes(secret),
      );
    });
  }
});
