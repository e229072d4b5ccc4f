import assert from 'node:assert/strict';
import { builtinDefinitions } from './builtin.ts';
import type { ResourceDefinition } from './definition.ts';
import { ALL_FEATURE_GATES } from './feature-gates.ts';
import { servedVersion } from './testing/harness.ts';

/**
 * What each kind allows, one row each (behaviours 9.0): plural.group and short
 * names | scope | whether PUT creates | whether PUT needs a resourceVersion |
 * ways to update in addition to the main one | columns, those of wide output in brackets.
 */
const TABLE = `
  componentstatuses. cs | cluster | - | conditional | - | Name, Status, Message, Error
  configmaps. cm | namespace | - | any | - | Name, Data, Age
  namespaces. ns | cluster | - | any | status finalize | Name, Status, Age
  nodes. no | cluster | - | any | status | Name, Status, Roles, Age, Version, (Internal-IP), (External-IP), (OS-Image), (Kernel-Version), (Container-Runtime)
  resourcequotas. quota | namespace | - | any | status | Name, Request, Limit, Age
  secrets. | namespace | - | any | - | Name, Type, Data, Age
  serviceaccounts. sa | namespace | - | any | token | Name, Secrets, Age
  mutatingadmissionpolicybindings.admissionregistration.cluster.io | cluster | - | conditional | - | Name, PolicyName, ParamRef, Age
  mutatingadmissionpolicies.admissionregistration.cluster.io | cluster | - | conditional | - | Name, Mutations, ParamKind, Age
  mutatingwebhookconfigurations.admissionregistration.cluster.io | cluster | - | conditional | - | Name, Webhooks, Age
  validatingadmissionpolicybindings.admissionregistration.cluster.io | cluster | - | conditional | - | Name, PolicyName, ParamRef, Age
  validatingadmissionpolicies.admissionregistration.cluster.io | cluster | - | conditional | status | Name, Validations, ParamKind, Age
  validatingwebhookconfigurations.admissionregistration.cluster.io | cluster | - | conditional | - | Name, Webhooks, Age
  apiservices.apiregistration.cluster.io | cluster | - | conditional | status | Name, Service, Available, Age
  leasecandidates.coordination.cluster.io | namespace | create | conditional | - | Name, LeaseName, BinaryVersion, EmulationVersion, Age
  leases.coordination.cluster.io | namespace | create | conditional | - | Name, Holder, Age
  events.events.cluster.io ev | namespace | create | any | - | Last Seen, Type, Reason, Object, (Subobject), (Source), Message, (First Seen), (Count), (Name)
  ipaddresses.networking.cluster.io ip | cluster | - | any | - | Name, ParentRef, Age
  servicecidrs.networking.cluster.io | cluster | - | any | status | Name, CIDRs, Age
  runtimeclasses.node.cluster.io | cluster | create | conditional | - | Name, Handler, Age
  clusterrolebindings.rbac.authorization.cluster.io | cluster | create | any | - | Name, Role, Age, (Users), (Groups), (ServiceAccounts)
  clusterroles.rbac.authorization.cluster.io | cluster | create | any | - | Name, Created At
  rolebindings.rbac.authorization.cluster.io | namespace | create | any | - | Name, Role, Age, (Users), (Groups), (ServiceAccounts)
  roles.rbac.authorization.cluster.io | namespace | create | any | - | Name, Created At
  deviceclasses.resource.cluster.io | cluster | - | any | - | Name, Age
`;

const definitions = builtinDefinitions(ALL_FEATURE_GATES);
const find = (kind: string): ResourceDefinition => {
  const found = definitions.find(({ names }) => names.kind === kind);
  assert.ok(found, kind);
  return found;
};

function rowOf(definition: ResourceDefinition): string {
  const { group, names, namespaced, strategy } = definition;
  const { columns, subresources } = servedVersion(definition);
  return [
    [`${names.plural}.${group}`, ...names.shortNames].join(' '),
    namespaced ? 'namespace' : 'cluster',
    strategy.createOnUpdate ? 'create' : '-',
    strategy.unconditionalUpdate ? 'any' : 'conditional',
    Object.keys(subresources).join(' ') || '-',
    columns.map(({ name, priority }) => (priority === 0 ? name : `(${name})`)).join(', '),
  ].join(' | ');
}

describe('the table of built-in kinds', () => {
  for (const row of TABLE.trim().split('\n')) {
    const wanted = row.trim();
    const resource = /^\S+/.exec(wanted)?.[0] ?? '';
    it(resource, () => {
      const found = definitions.find((d) => `${d.names.plural}.${d.group}` === resource);
      assert.ok(found, 'is served');
      assert.equal(rowOf(found), wanted);
    });
  }

  it('every verb, but no deletecollection of namespaces, and nothing but reading of components', () => {
    for (const { names, verbs } of definitions) {
      const count = { Namespace: 7, ComponentStatus: 2 }[names.kind] ?? 8;
      assert.equal(verbs.length, count, names.kind);
    }
    assert.deepEqual(find('ComponentStatus').verbs, ['get', 'list']);
    assert.ok(!find('Namespace').verbs.includes('deletecollection'));
  });

  it('the kinds that extend the API are found under one word', () => {
    const extending = definitions.filter(({ names }) =>
      names.categories.includes('api-extensions'),
    );
    assert.deepEqual([...new Set(extending.map(({ group }) => group))].sort(), [
      'admissionregistration.cluster.io',
      ...(definitions.some(({ group }) => group === 'apiextensions.cluster.io')
        ? ['apiextensions.cluster.io']
        : []),
      'apiregistration.cluster.io',
    ]);
  });

  it('selection by few fields in addition to name and namespace', () => {
    const selectable = (kind: string): string[] => [
      ...servedVersion(find(kind)).selectableFields.keys(),
    ];
    assert.deepEqual(selectable('Namespace'), ['status.phase']);
    assert.deepEqual(selectable('Node'), ['spec.unschedulable']);
    assert.deepEqual(selectable('LeaseCandidate'), []);
    assert.ok(selectable('Event').includes('regarding.fieldPath'));
  });

  it('events go after an hour, and take nothing with them', () => {
    assert.equal(find('Event').ttlSeconds, 3600);
    assert.equal(find('Event').strategy.garbageCollected, false);
    assert.equal(find('Lease').ttlSeconds, undefined);
  });

  it('addresses are not made up, and a device class that goes is shown', () => {
    assert.equal(find('IPAddress').strategy.generatesNames, false);
    assert.equal(find('DeviceClass').deleteReturnsObject, true);
  });

  it('deprecated kinds carry warnings', () => {
    const deprecated = definitions.filter((d) => servedVersion(d).deprecation !== undefined);
    assert.deepEqual(
      deprecated.map(({ names }) => names.kind),
      ['ComponentStatus', 'LeaseCandidate'],
    );
  });
});
