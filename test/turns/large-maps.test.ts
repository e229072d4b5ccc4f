import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * A map of 45,000 keys is about the largest that an object may have. Whatever is
 * done with it takes many turns of the event loop. Measured by the CPU of the
 * loop's own thread.
 */
const GROUP = 'maps.example.com';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const MAPS = `/apis/${GROUP}/v1/namespaces/default/maps`;
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH_TYPE = { 'content-type': 'application/json-patch+json' };
const YAML = { accept: 'application/yaml' };
const KEYS = 45_000;

const DEFINITION = {
  metadata: { name: `maps.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'maps', singular: 'map', kind: 'Map', listKind: 'MapList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  data: { type: 'object', additionalProperties: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const data = (value: string, count = KEYS): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const object = (name: string, map: Record<string, string>): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Map',
  metadata: { name },
  spec: { data: map },
});

describe('maps of 45,000 keys', function () {
  const turns = new Turns();
  let plinth: Plinth;
  let count = 0;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    await plinth.send('POST', DEFINITIONS, DEFINITION);
    while ((await plinth.send('GET', MAPS)).status !== 200);
  });
  after(() => plinth.dispose());

  const patch = (name: string, body: unknown, type: Record<string, string>, query = '') =>
    plinth.send('PATCH', `${MAPS}/${name}${query}`, body, type);
  const apply = (name: string, map: Record<string, string>, manager: string): Promise<Reply> =>
    patch(name, object(name, map), APPLY_TYPE, `?fieldManager=${manager}&force=true`);

  it('are created and deleted in short turns', async () => {
    await turns.areShortFor(201, () => plinth.send('POST', MAPS, object(`c${count++}`, data('1'))));
    await turns.areShortFor(200, () => plinth.send('DELETE', `${MAPS}/c${--count}`));
  });

  it('are merged, and patched operation by operation, in short turns', async () => {
    await plinth.send('POST', MAPS, object('patched', data('1')));
    const change = (): object => ({ spec: { data: { k1: `${count++}` } } });
    await turns.areShortFor(200, () => patch('patched', change(), MERGE_TYPE));
    const copies = Array.from({ length: 10_000 }, (_, i) => ({
      op: 'copy',
      from: '/spec/data/k1',
      path: `/spec/data/k${i}`,
    }));
    await turns.areShortFor(200, () => patch('patched', copies, JSON_PATCH_TYPE));
  });

  it('are applied, changed, taken over and given up in short turns', async () => {
    await turns.areShortFor(201, () => apply(`a${count++}`, data('1'), 'first'));
    const name = `a${count - 1}`;
    await turns.areShortFor(200, () => apply(name, data(`${count++}`), 'first'));
    await turns.areShortFor(200, () => apply(name, data(`${count++}`, 20_000), 'second'));
    await turns.areShortFor(200, () => apply(name, data('1', 1_000 + count++), 'first'));
  });

  it('are shown as YAML and with indentation in short turns, alone and in a list', async () => {
    await plinth.send('POST', MAPS, object('shown', data('1')));
    const list = `${MAPS}?fieldSelector=metadata.name%3Dshown`;
    const read = (path: string, headers = {}) => plinth.send('GET', path, undefined, headers);
    await turns.areShortFor(200, () => read(`${MAPS}/shown`, YAML));
    const { text } = await read(`${MAPS}/shown`, YAML);
    assert.ok(text.includes('\n    k44999: "1"\n'), text.slice(-300));
    await turns.areShortFor(200, () => read(`${MAPS}/shown?pretty=true`));
    await turns.areShortFor(200, () => read(list, YAML));
    const { text: items } = await read(list, YAML);
    assert.ok(items.includes('\n      k44999: "1"\n'), items.slice(-300));
    await turns.areShortFor(200, () => read(`${list}&pretty=true`));
  });

  it('of managed fields are read and written in short turns', async () => {
    const fields = Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`f:k${i}`, {}]));
    const entry = {
      ...{ manager: 'a', operation: 'Update', apiVersion: 'coordination.cluster.io/v1' },
      ...{ fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } },
    };
    const lease = (name: string): object => ({ metadata: { name, managedFields: [entry] } });
    await turns.areShortFor(201, () => plinth.send('POST', LEASES, lease(`l${count++}`)));
    const holder = { spec: { holderIdentity: 'b' } };
    await turns.areShortFor(200, () =>
      plinth.send('PATCH', `${LEASES}/l${--count}`, holder, MERGE_TYPE),
    );
  });
});
