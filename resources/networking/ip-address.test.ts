import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { ipAddressDefinition as definition } from './ip-address.ts';

const PARENT = { resource: 'services', namespace: 'team', name: 'web' };

function address(name: string, spec: JsonObject = { parentRef: PARENT }): JsonObject {
  return { apiVersion: 'networking.cluster.io/v1', kind: 'IPAddress', metadata: { name }, spec };
}
const withParent = (parentRef: JsonObject): JsonObject => address('192.0.2.1', { parentRef });

describe('IPAddress', () => {
  testKept(definition, {
    'an IPv4 address': [address('192.0.2.1'), address('192.0.2.1')],
    'an IPv6 address': [address('2001:db8::1'), address('2001:db8::1')],
    'a single group of zeros': [address('2001:db8:1:1:1:0:1:1'), address('2001:db8:1:1:1:0:1:1')],
    'a parent in a group, without namespace': [
      withParent({ group: 'example.com', resource: 'gateways', name: 'g', namespace: '' }),
      withParent({ group: 'example.com', resource: 'gateways', name: 'g' }),
    ],
  });

  const names = {
    'a leading zero': '192.0.02.1',
    'three numbers': '192.0.2',
    'a number above 255': '192.0.2.256',
    'a prefix length': '192.0.2.1/32',
    'a host name': 'example.com',
    capitals: '2001:DB8::1',
    'what is not compressed': '2001:db8:0:0:0:0:0:1',
    'leading zeros in a group': '2001:0db8::1',
    'the wrong run of zeros compressed': '2001:db8::1:0:0:0:1',
    'one compressed group': '2001:db8:1:1:1:1::1',
    'an IPv4-mapped address': '::ffff:192.0.2.1',
    'an embedded IPv4 address': '64:ff9b::192.0.2.1',
    'a zone': 'fe80::1%eth0',
  };
  testRefused(
    definition,
    Object.fromEntries(
      Object.entries(names).map(([what, name]) => [
        `${what} in its name`,
        [address(name), ['FieldValueInvalid metadata.name']],
      ]),
    ),
  );

  testRefused(definition, {
    'a finalizer without a domain': [
      { ...address('192.0.2.1'), metadata: { name: '192.0.2.1', finalizers: ['a.b/c', 'hold'] } },
      ['FieldValueInvalid metadata.finalizers[1]'],
    ],
    'no parent': [address('192.0.2.1', {}), ['FieldValueRequired spec.parentRef']],
    'a parent without resource and name': [
      withParent({}),
      ['FieldValueRequired spec.parentRef.resource', 'FieldValueRequired spec.parentRef.name'],
    ],
    'a group that is not a domain': [
      withParent({ ...PARENT, group: 'Bad_' }),
      ['FieldValueInvalid spec.parentRef.group'],
    ],
    'a resource, name or namespace that cannot stand in a path': [
      withParent({ resource: 'a/b', name: '..', namespace: 'a%b' }),
      [
        'FieldValueInvalid spec.parentRef.resource',
        'FieldValueInvalid spec.parentRef.name',
        'FieldValueInvalid spec.parentRef.namespace',
      ],
    ],
  });

  it('never changes its parent', () => {
    const old = created(definition, address('192.0.2.1')).object;
    const put = (body: JsonObject): string[] => problems(updated(definition, old, body));
    assert.deepEqual(put(address('192.0.2.1')), []);
    assert.deepEqual(put(withParent({ ...PARENT, name: 'api' })), [
      'FieldValueInvalid spec.parentRef',
    ]);
    assert.deepEqual(put(address('192.0.2.1', { parentRef: null })), [
      'FieldValueRequired spec.parentRef',
      'FieldValueInvalid spec.parentRef',
    ]);
  });

  it('gets no generated name', () => assert.equal(definition.strategy.generatesNames, false));

  it('shows its parent in tables', () => {
    const cell = (body: JsonObject): unknown =>
      rowOf(definition, created(definition, body).object)['ParentRef'];
    assert.equal(cell(address('192.0.2.1')), 'services/team/web');
    assert.equal(
      cell(withParent({ group: 'example.com', resource: 'gateways', name: 'g' })),
      'gateways.example.com/g',
    );
    assert.equal(cell(address('192.0.2.1', {})), '<none>');
  });
});
