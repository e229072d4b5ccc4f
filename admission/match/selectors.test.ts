import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { NamespaceReader } from '../namespaces.ts';
import { Selectors } from './selectors.ts';

const GUARDED = { namespaceSelector: { matchLabels: { guarded: 'yes' } } };

const namespaces: NamespaceReader = {
  cached: (name) =>
    name === 'a' ? { terminating: false, labels: { guarded: 'yes' }, object: {} } : undefined,
  live: () => Promise.resolve(undefined),
};

function attributes(
  group: string,
  namespace: string,
  operation: Operation,
  object?: JsonObject,
): AdmissionAttributes {
  const resource = { group, version: 'v1', resource: 'namespaces' };
  return { resource, subresource: '', namespace, operation, object } as AdmissionAttributes;
}

describe('namespace selectors', () => {
  const selectors = new Selectors(GUARDED);
  const matches = async (request: AdmissionAttributes): Promise<boolean> =>
    selectors.matches(request, { object: request.object, oldObject: undefined }, namespaces);

  it('match the own labels of a Namespace', async () => {
    const labelled = { metadata: { labels: { guarded: 'yes' } } };
    assert.equal(await matches(attributes('', 'new', 'CREATE', labelled)), true);
    assert.equal(await matches(attributes('', 'new', 'CREATE', { metadata: {} })), false);
    const unnamed = { metadata: { generateName: 'new-' } };
    assert.equal(await matches(attributes('', '', 'CREATE', unnamed)), false);
  });

  it('treat a resource named namespaces of another group as an ordinary resource', async () => {
    const object = { metadata: {} };
    assert.equal(
      await matches(attributes('example.com', 'a', 'CREATE', object)),
      true,
      'it is in a namespace that is guarded, whatever labels it has itself',
    );
    assert.equal(
      await matches(attributes('example.com', '', 'DELETE')),
      true,
      'objects of cluster scope are never passed by',
    );
  });
});
