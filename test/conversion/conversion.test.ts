import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ConversionWebhook, gadgetDefinition, renameSize } from '../support/conversion-webhook.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const GROUP = 'conversion.example.com';
const base = (version: string): string => `/apis/${GROUP}/${version}/namespaces/default/gadgets`;

describe('conversion webhooks', () => {
  let plinth: Plinth;
  let webhook: ConversionWebhook;
  const watches: { close: () => void }[] = [];

  before(async () => {
    plinth = await Plinth.start();
  });

  after(() => plinth.dispose());

  beforeEach(async () => {
    webhook = await ConversionWebhook.start();
    const definition = gadgetDefinition(GROUP, webhook.clientConfig);
    const made = await plinth.send('POST', DEFINITIONS, definition);
    assert.equal(made.status, 201, made.text);
    await eventually(async () => (await plinth.get(base('v1'))).status === 200, 'v1 is served');
  });

  afterEach(async () => {
    for (const watch of watches.splice(0)) watch.close();
    await plinth.send('DELETE', `${DEFINITIONS}/gadgets.${GROUP}`);
    await eventually(
      async () => (await plinth.get(`${DEFINITIONS}/gadgets.${GROUP}`)).status === 404,
      'the definition is gone',
    );
    await webhook.close();
  });

  const create = async (name: string, size = 1, labels = {}): Promise<void> => {
    const body = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Gadget',
      metadata: { name, labels },
      spec: { size },
    };
    const { status, text } = await plinth.send('POST', base('v1'), body);
    assert.equal(status, 201, text);
  };

  const createMany = async (count: number): Promise<void> => {
    const names = Array.from(
      { length: count },
      (_, i) => `g${String(i).padStart(5, '0')}`,
    ).values();
    const work = async (): Promise<void> => {
      for (const name of names) await create(name);
    };
    await Promise.all(Array.from({ length: 16 }, work));
  };

  const watch = async (version: string, query = ''): Promise<any[]> => {
    const frames: any[] = [];
    const path = `${base(version)}?watch=1&${query}`;
    watches.push(await plinth.watch(path, (frame) => frames.push(frame)));
    return frames;
  };

  it('shows, changes and stores objects through every version', async () => {
    await create('a', 3);
    const read = await plinth.get(`${base('v2')}/a`);
    assert.deepEqual([read.json.apiVersion, read.json.spec], [`${GROUP}/v2`, { width: 3 }]);
    const patch = { 'content-type': 'application/merge-patch+json' };
    const changed = await plinth.send('PATCH', `${base('v3')}/a`, { spec: { width: 7 } }, patch);
    assert.deepEqual(changed.json.spec, { width: 7 });
    assert.deepEqual((await plinth.get(`${base('v1')}/a`)).json.spec, { size: 7 });
    const list = await plinth.get(base('v2'));
    assert.deepEqual(list.json.items[0].spec, { width: 7 });
  });

  it('asks nothing for the version that is stored', async () => {
    await create('a');
    await plinth.get(base('v1'));
    await plinth.get(`${base('v1')}/a`);
    assert.deepEqual(webhook.asked(), []);
  });

  it('sends no resource version and gives the right one back', async () => {
    await create('a');
    const stored = await plinth.get(`${base('v1')}/a`);
    const read = await plinth.get(`${base('v2')}/a`);
    assert.equal(webhook.reviews[0]!.objects[0].metadata.resourceVersion, undefined);
    assert.deepEqual(read.json.metadata, stored.json.metadata);
  });

  it('converts a list of a thousand in a few reviews, and then no more', async () => {
    await createMany(1_000);
    webhook.asked();
    const first = await plinth.get(base('v2'));
    assert.equal(first.json.items.length, 1_000);
    assert.ok(first.json.items.every((item: any) => item.spec.width === 1));
    const asked = webhook.asked();
    assert.equal(
      asked.reduce((sum, n) => sum + n, 0),
      1_000,
    );
    assert.ok(asked.length <= 12, `${asked.length} reviews`);
    const frames = await watch('v2');
    await eventually(() => frames.length === 1_000, 'the state');
    assert.deepEqual(webhook.asked(), []);
  });

  it('converts a change once for all streams that show it, and not for its deletion', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => watch('v2')));
    await create('a', 5);
    await eventually(() => streams.every((frames) => frames.length === 1), 'the object');
    for (const [frame] of streams) assert.deepEqual(frame.object.spec, { width: 5 });
    assert.deepEqual(webhook.asked(), [1]);
    webhook.respond = (request) => webhook.fail(request, 'no');
    await plinth.send('DELETE', `${base('v1')}/a`);
    await eventually(() => streams.every((frames) => frames.length === 2), 'the deletion');
    for (const [, frame] of streams) {
      assert.deepEqual([frame.type, frame.object.spec], ['DELETED', { width: 5 }]);
    }
    assert.deepEqual(webhook.asked(), []);
  });

  it('converts a burst of changes together and shows them in order', async () => {
    const frames = await watch('v2');
    webhook.delayMs = 200;
    await createMany(100);
    await eventually(() => frames.length === 100, 'all objects');
    const revisions = frames.map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(
      revisions,
      [...revisions].sort((a, b) => a - b),
    );
    assert.ok(webhook.asked().length < 50, 'changes were converted one by one');
  });

  it('selects by what the version shows', async () => {
    webhook.convert = (object, desired) => {
      const converted = renameSize(object, desired);
      const labels = { ...object.metadata.labels, shown: desired.split('/')[1] };
      return { ...converted, metadata: { ...object.metadata, labels } };
    };
    await create('a', 1);
    await create('b', 2);
    const byField = await plinth.get(`${base('v2')}?fieldSelector=spec.width%3D2`);
    assert.deepEqual(namesOf(byField), ['b']);
    const byLabel = await plinth.get(`${base('v2')}?labelSelector=shown%3Dv2`);
    assert.deepEqual(namesOf(byLabel), ['a', 'b']);
    const frames = await watch('v2', 'fieldSelector=spec.width%3D2');
    await eventually(() => frames.length === 1, 'the object that matches');
    const patch = { 'content-type': 'application/merge-patch+json' };
    await plinth.send('PATCH', `${base('v1')}/b`, { spec: { size: 9 } }, patch);
    await eventually(() => frames.length === 2, 'the object that leaves');
    assert.deepEqual(
      frames.map(({ type, object }) => [type, object.spec.width]),
      [
        ['ADDED', 2],
        ['DELETED', 2],
      ],
    );
  });

  it('converts again for a get, and lists converted forms it has', async () => {
    await create('a', 1);
    assert.deepEqual((await plinth.get(base('v2'))).json.items[0].spec, { width: 1 });
    webhook.convert = (object, desired) => ({
      ...object,
      apiVersion: desired,
      spec: { width: 42 },
    });
    assert.deepEqual((await plinth.get(`${base('v2')}/a`)).json.spec, { width: 42 });
    assert.deepEqual((await plinth.get(base('v2'))).json.items[0].spec, { width: 42 });
  });

  it('fails a list as a whole when one object cannot be converted', async () => {
    await createMany(300);
    await create('z-poison');
    webhook.respond = (request) =>
      request.objects.some(({ metadata }) => metadata.name === 'z-poison')
        ? webhook.fail(request, 'cannot convert z-poison')
        : webhook.succeed(request);
    const { status, json } = await plinth.get(base('v2'));
    assert.equal(status, 500);
    assert.equal(
      json.message,
      `conversion webhook for ${GROUP}/v1, Kind=Gadget failed: cannot convert z-poison`,
    );
    assert.equal((await plinth.get(base('v1'))).status, 200);
    webhook.respond = (request) => webhook.succeed(request);
    assert.equal((await plinth.get(base('v2'))).json.items.length, 301);
  });

  it('ends a stream with an error at the object that cannot be converted, not before', async () => {
    webhook.respond = (request) =>
      request.objects.some(({ metadata }) => metadata.name === 'poison')
        ? webhook.fail(request, 'cannot convert poison')
        : webhook.succeed(request);
    const frames = await watch('v2');
    webhook.delayMs = 100;
    for (const name of ['a', 'b', 'poison', 'c']) await create(name);
    await eventually(() => frames.at(-1)?.type === 'ERROR', 'the error');
    assert.deepEqual(
      frames.map(({ type, object }) => object.metadata.name ?? `${type} ${object.code}`),
      ['a', 'b', 'ERROR 500'],
    );
  });

  it('counts reviews', async () => {
    await create('a');
    await plinth.get(base('v2'));
    const { text } = await plinth.get('/metrics');
    assert.match(text, /^apiserver_crd_conversion_webhook_request_total{result="success"} [1-9]/m);
    assert.match(text, /^apiserver_crd_conversion_webhook_duration_seconds_count{.*} [1-9]/m);
  });

  it('writes nothing when a conversion fails', async () => {
    webhook.respond = (request) => webhook.fail(request, 'not possible');
    const body = {
      apiVersion: `${GROUP}/v2`,
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { width: 1 },
    };
    const { status, json } = await plinth.send('POST', base('v2'), body);
    assert.deepEqual([status, json.reason], [500, undefined]);
    assert.deepEqual((await plinth.get(base('v1'))).json.items, []);
  });

  it('serves everything else while a webhook hangs, and stops', async () => {
    await create('a');
    webhook.respond = () => undefined;
    let isAnswered = false;
    const hanging = plinth.get(base('v2')).catch(() => undefined);
    void hanging.finally(() => (isAnswered = true));
    await eventually(() => webhook.reviews.length > 0, 'the call');
    for (let i = 0; i < 50; i++) assert.equal((await plinth.get(`${base('v1')}/a`)).status, 200);
    assert.ok(!isAnswered, 'others have waited for the webhook');
    await webhook.server.close();
    assert.equal((await hanging)!.status, 500);
    webhook = await ConversionWebhook.start();
  });

  it('empties a definition whose webhook is gone', async () => {
    await create('a');
    await webhook.close();
    await plinth.send('DELETE', `${DEFINITIONS}/gadgets.${GROUP}`);
    await eventually(
      async () => (await plinth.get(`${DEFINITIONS}/gadgets.${GROUP}`)).status === 404,
      'the definition is gone',
    );
    webhook = await ConversionWebhook.start();
  });
});

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

function namesOf({ json }: { json: any }): string[] {
  return json.items.map((item: any) => item.metadata.name);
}
