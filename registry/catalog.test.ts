import assert from 'node:assert/strict';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { Catalog, storedResource } from './catalog.ts';

const lease = leaseDefinition(ALL_FEATURE_GATES);

/** A custom resource: a Lease under another name. */
function custom(
  plural: string,
  uid: string,
  change: Partial<ResourceDefinition> = {},
): ResourceDefinition {
  return {
    ...lease,
    group: 'example.com',
    names: { ...lease.names, plural, kind: 'Gadget' },
    builtin: false,
    custom: { uid, group: 'example.com' } as unknown as NonNullable<ResourceDefinition['custom']>,
    ...change,
  };
}

describe('the catalog of resources', () => {
  let catalog: Catalog;
  beforeEach(() => {
    catalog = new Catalog([lease]);
  });
  const install = (name: string, definition: ResourceDefinition | undefined): void =>
    catalog.changeCustom(new Map([[name, definition]]));

  it('finds built-in kinds by resource and by kind', () => {
    const found = catalog.find('coordination.cluster.io', 'v1', 'leases');
    assert.equal(found?.kind.kind, 'Lease');
    assert.equal(catalog.findKind('coordination.cluster.io', 'v1', 'Lease'), found);
    assert.ok(catalog.isBuiltin('coordination.cluster.io', 'leases'));
    assert.equal(catalog.find('coordination.cluster.io', 'v9', 'leases'), undefined);
  });

  it('serves a custom resource from its definition on until that is gone', () => {
    const before = catalog.generation;
    install('gadgets.example.com', custom('gadgets', 'u'));
    assert.ok(catalog.generation > before);
    assert.ok(catalog.hasGroup('example.com'));
    assert.equal(catalog.find('example.com', 'v1', 'gadgets')?.definition.custom?.uid, 'u');
    install('gadgets.example.com', undefined);
    assert.equal(catalog.find('example.com', 'v1', 'gadgets'), undefined);
    assert.ok(!catalog.hasGroup('example.com'));
  });

  it('never lets a definition replace a built-in kind', () => {
    const [before] = [...catalog.served()];
    install('gadgets.example.com', custom('gadgets', 'u'));
    assert.equal(catalog.find('coordination.cluster.io', 'v1', 'leases'), before);
    assert.equal(catalog.findStored('coordination.cluster.io', 'leases')?.definition, lease);
  });

  it('reports the end of a resource when its definition is deleted or replaced', () => {
    install('gadgets.example.com', custom('gadgets', 'u'));
    const served = catalog.find('example.com', 'v1', 'gadgets')!;
    let ends = 0;
    const stop = catalog.onEnd(served, () => void ends++);
    install('gadgets.example.com', custom('gadgets', 'u', { namespaced: false }));
    assert.equal(ends, 0, 'the same definition, changed');
    assert.notEqual(catalog.current(served), undefined);
    install('gadgets.example.com', custom('gadgets', 'v'));
    assert.equal(ends, 1, 'another definition of the same name');
    assert.equal(catalog.current(served), undefined);
    stop();
    install('gadgets.example.com', undefined);
    assert.equal(ends, 1, 'not asked any more');
  });

  it('keeps the resource of a definition that has not changed', () => {
    const gadgets = custom('gadgets', 'u');
    catalog.setCustom(new Map([['gadgets.example.com', gadgets]]));
    const served = catalog.find('example.com', 'v1', 'gadgets');
    catalog.setCustom(new Map([['gadgets.example.com', gadgets]]));
    assert.equal(catalog.find('example.com', 'v1', 'gadgets'), served);
    catalog.setCustom(new Map());
    assert.equal(catalog.find('example.com', 'v1', 'gadgets'), undefined);
  });

  it('takes a kind without objects away while a definition brings it', () => {
    const view: ResourceDefinition = { ...lease, group: 'example.com', givesWay: true };
    catalog = new Catalog([lease, view]);
    assert.equal(catalog.find('example.com', 'v1', 'leases')?.definition, view);
    const brought = custom('leases', 'u', { names: lease.names });
    install('leases.example.com', brought);
    assert.equal(catalog.find('example.com', 'v1', 'leases')?.definition, brought);
    assert.ok(!catalog.definitions().includes(view));
    install('leases.example.com', undefined);
    assert.equal(catalog.find('example.com', 'v1', 'leases')?.definition, view);
  });

  it('takes all versions of such a kind away while a definition serves one, and none while it serves none', () => {
    const [version] = lease.versions;
    const versions = ['v1', 'v2'].map((name) => ({ ...version!, name }));
    const view: ResourceDefinition = { ...lease, group: 'example.com', versions, givesWay: true };
    catalog = new Catalog([view]);
    const ended: string[] = [];
    for (const name of ['v1', 'v2']) {
      const served = catalog.find('example.com', name, 'leases')!;
      catalog.onEnd(served, () => ended.push(name));
    }
    const isServed = (served: boolean): ResourceDefinition =>
      custom('leases', 'u', { names: lease.names, versions: [{ ...versions[0]!, served }] });
    install('leases.example.com', isServed(false));
    assert.equal(catalog.find('example.com', 'v1', 'leases')?.definition, view);
    const brought = isServed(true);
    install('leases.example.com', brought);
    assert.deepEqual(ended, ['v1', 'v2']);
    assert.equal(catalog.find('example.com', 'v1', 'leases')?.definition, brought);
    assert.equal(catalog.find('example.com', 'v2', 'leases'), undefined);
    install('leases.example.com', undefined);
    assert.equal(catalog.find('example.com', 'v2', 'leases')?.definition, view);
  });

  it('has the stored version of a definition, served or not', () => {
    const [version] = lease.versions;
    const gone = custom('gadgets', 'u', {
      versions: [{ ...version!, served: false }],
      storageVersion: version!.name,
    });
    install('gadgets.example.com', gone);
    assert.equal(catalog.find('example.com', version!.name, 'gadgets'), undefined);
    assert.equal(storedResource(gone).version.name, version!.name);
    assert.throws(() => storedResource({ ...gone, storageVersion: 'v9' }), /no storage version/);
  });
});
