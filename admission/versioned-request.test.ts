import assert from 'node:assert/strict';
import { badRequest } from '../api/api-error.ts';
import type { GroupVersionKind } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { VersionedRequest } from './versioned-request.ts';

const V1 = { group: 'example.com', version: 'v1', kind: 'Gadget' };
const V2 = { ...V1, version: 'v2' };
const V3 = { ...V1, version: 'v3' };
const gadget = (name: string): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: { name },
});

describe('a request that webhooks change, each in its version', () => {
  let conversions: string[];
  let attributes: AdmissionAttributes;
  let request: VersionedRequest;

  beforeEach(() => {
    conversions = [];
    const access = {
      convert: (one: ApiObject, { group, version }: GroupVersionKind) => {
        if (one.metadata.name === 'broken') return Promise.reject(badRequest('it is broken'));
        conversions.push(`${one.metadata.name} ${version}`);
        return Promise.resolve({ ...one, apiVersion: `${group}/${version}` });
      },
    };
    const parts = { kind: V1, object: gadget('new'), oldObject: gadget('old'), access };
    attributes = parts as unknown as AdmissionAttributes;
    request = new VersionedRequest(attributes);
  });

  it('shows one version again without converting again', async () => {
    await request.showIn(V2);
    await request.showIn(V2);
    assert.deepEqual(conversions, ['new v2', 'old v2']);
    assert.equal(request.object?.apiVersion, 'example.com/v2');
  });

  it('goes back by no conversion when nothing was changed', async () => {
    await request.showIn(V2);
    await request.showIn(V1);
    assert.equal(request.object, attributes.object);
    assert.deepEqual(conversions, ['new v2', 'old v2']);
  });

  it('has a change in the version of the request before another version is shown', async () => {
    await request.showIn(V2);
    request.replace({ ...gadget('changed'), apiVersion: 'example.com/v2' });
    await request.showIn(V3);
    assert.deepEqual(conversions.slice(2), ['changed v1', 'changed v3', 'old v3']);
    assert.deepEqual(attributes.object, gadget('changed'));
  });

  it('has a change in its own version at once', () => {
    request.replace(gadget('changed'));
    assert.deepEqual(attributes.object, gadget('changed'));
  });

  it('has a last change when it is finished, and converts it once', async () => {
    await request.showIn(V2);
    request.replace({ ...gadget('changed'), apiVersion: 'example.com/v2' });
    await request.finish();
    await request.finish();
    assert.deepEqual(conversions.slice(2), ['changed v1']);
    assert.deepEqual(attributes.object, gadget('changed'));
  });

  it('fails as the server, not as the client, when it cannot be converted', async () => {
    request.replace(gadget('broken'));
    await assert.rejects(request.showIn(V2), { code: 500, message: /it is broken/ });
  });
});
