import assert from 'node:assert/strict';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { ShownVersions } from './shown-versions.ts';

const V1 = { group: 'example.com', version: 'v1', kind: 'Gadget' };
const V2 = { ...V1, version: 'v2' };
const gadget = (name: string): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: { name },
});

describe('the objects of a request, as webhooks and policies see them', () => {
  let converted: string[];

  function shown(object: ApiObject | undefined, oldObject?: ApiObject): ShownVersions {
    converted = [];
    const access = {
      convert: (one: ApiObject, { group, version }: GroupVersionKind) => {
        const apiVersion = `${group}/${version}`;
        converted.push(`${one.metadata.name} ${apiVersion}`);
        return Promise.resolve({ ...one, apiVersion });
      },
    };
    return new ShownVersions({
      kind: V1,
      object,
      oldObject,
      access,
    } as unknown as AdmissionAttributes);
  }

  it('are not converted for the version of the request', async () => {
    const [object, oldObject] = [gadget('new'), gadget('old')];
    const seen = await shown(object, oldObject).showIn(V1);
    assert.equal(seen.object, object);
    assert.equal(seen.oldObject, oldObject);
    assert.deepEqual(converted, []);
  });

  it('are converted once per version for all readers', async () => {
    const versions = shown(gadget('new'), gadget('old'));
    const [first, second] = await Promise.all([versions.showIn(V2), versions.showIn(V2)]);
    assert.equal(first, second);
    assert.equal(first.object?.apiVersion, 'example.com/v2');
    assert.equal(first.oldObject?.apiVersion, 'example.com/v2');
    assert.deepEqual(converted, ['new example.com/v2', 'old example.com/v2']);
  });

  it('stay absent where a request has none', async () => {
    const seen = await shown(undefined, gadget('old')).showIn(V2);
    assert.equal(seen.object, undefined);
    assert.deepEqual(converted, ['old example.com/v2']);
  });
});
