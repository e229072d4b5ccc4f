import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'mocha';
import { ApiError } from '../../api/api-error.ts';
import { systemClock } from '../../api/clock.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject, ObjectMeta } from '../../api/object.ts';
import { makeAuthority } from '../../access/pki/certificates.ts';
import { ConversionWebhook, renameSize } from '../../test/support/conversion-webhook.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { TlsServer, answerJson } from '../../test/support/tls-server.ts';
import { HttpsClient } from '../../outbound/https-client.ts';
import { dnsResolver } from '../../outbound/service-resolver.ts';
import { WebhookConverter } from './webhook-converter.ts';

const V1 = 'example.com/v1';
const V2 = 'example.com/v2';

function gadget(name: string, metadata: ObjectMeta = {}): ApiObject {
  return {
    apiVersion: V1,
    kind: 'Gadget',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '7', ...metadata },
    spec: { size: 1 },
  };
}

describe('WebhookConverter', () => {
  let webhook: ConversionWebhook;
  const client = new HttpsClient({ resolver: dnsResolver, clock: systemClock });
  const converter = new WebhookConverter({ client, clock: systemClock, newUid: randomUUID });

  before(async () => {
    webhook = await ConversionWebhook.start();
  });
  afterEach(() => {
    webhook.respond = (request) => webhook.succeed(request);
    webhook.asked();
  });
  after(async () => {
    client.close();
    await webhook.close();
  });

  const convert = (
    objects: ApiObject[],
    reviewVersions = ['v1'],
    clientConfig: object = webhook.clientConfig,
    by = converter,
  ): Promise<ApiObject[]> =>
    by.convert({
      webhook: { clientConfig, reviewVersions },
      kind: 'Gadget',
      objects,
      apiVersion: V2,
    });

  /** The message of the failure, which has to be a 500 without a reason. */
  const failure = async (conversion: Promise<unknown>): Promise<string> => {
    const error = await conversion.then(
      () => assert.fail('it has been converted'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ApiError, String(error));
    assert.deepEqual([error.code, error.reason], [500, '']);
    const start = `conversion webhook for ${V1}, Kind=Gadget `;
    assert.ok(error.message.startsWith(start), error.message);
    return error.message.slice(start.length);
  };

  it('keeps the order and number of objects, and skips objects already in the version', async () => {
    const done = { ...gadget('b'), apiVersion: V2 };
    const converted = await convert([gadget('a'), done, gadget('c')]);
    assert.deepEqual(
      converted.map(({ metadata }) => metadata.name),
      ['a', 'b', 'c'],
    );
    assert.equal(converted[1], done);
    assert.deepEqual(webhook.asked(), [2]);
  });

  it('splits a large number of objects into several reviews', async () => {
    const objects = Array.from({ length: 250 }, (_, i) => gadget(`g${i}`));
    assert.equal((await convert(objects)).length, 250);
    assert.deepEqual(webhook.asked(), [100, 100, 50]);
    const large = { ...gadget('large'), data: 'x'.repeat(200_000) };
    await convert([gadget('a'), large, large]);
    assert.deepEqual(webhook.asked(), [2, 1]);
  });

  it('keeps all metadata except labels and annotations', async () => {
    webhook.respond = (request) => {
      const answer = webhook.succeed(request);
      for (const object of answer.convertedObjects) {
        Object.assign(object.metadata, {
          ...{ labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/x'] },
          ...{ ownerReferences: [], resourceVersion: '1', generation: 99, managedFields: [] },
        });
      }
      return answer;
    };
    const before = { generation: 2, labels: { old: 'x' }, finalizers: ['example.com/kept'] };
    const [converted] = await convert([gadget('a', before)]);
    assert.deepEqual(converted!.metadata, {
      ...(gadget('a', before).metadata as JsonObject),
      ...{ labels: { a: 'b' }, annotations: { c: 'd' } },
    });
  });

  const wrongObjects: [string, (object: any) => any, RegExp][] = [
    [
      'another name',
      (o) => ({ ...o, metadata: { ...o.metadata, name: 'x' } }),
      /same name: a != x$/,
    ],
    [
      'another namespace',
      (o) => ({ ...o, metadata: { ...o.metadata, namespace: 'x' } }),
      /namespace: default != x$/,
    ],
    [
      'another uid',
      (o) => ({ ...o, metadata: { ...o.metadata, uid: 'x' } }),
      /same uid: uid-a != x$/,
    ],
    ['no metadata', ({ metadata: _, ...o }) => o, /same name: a != $/],
    [
      'another kind',
      (o) => ({ ...o, kind: 'Other' }),
      /at index 0: invalid kind \(expected Gadget, received Other\)$/,
    ],
    [
      'the old version',
      (o) => ({ ...o, apiVersion: V1 }),
      /invalid groupVersion \(expected .*v2, received .*v1\)$/,
    ],
    ['null', () => null, /at index 0: must be an object$/],
    [
      'a label that is none',
      (o) => ({ ...o, metadata: { ...o.metadata, labels: { 'a b': 'x' } } }),
      /^returned invalid metadata: metadata\.labels/,
    ],
    [
      'labels that are none',
      (o) => ({ ...o, metadata: { ...o.metadata, labels: [] } }),
      /metadata\.labels must be an object$/,
    ],
    [
      'an annotation that is not a string',
      (o) => ({ ...o, metadata: { ...o.metadata, annotations: { a: 1 } } }),
      /metadata\.annotations\[a\] must be a string$/,
    ],
  ];
  for (const [what, change, expected] of wrongObjects) {
    it(`refuses ${what}`, async () => {
      webhook.respond = (request) => {
        const answer = webhook.succeed(request);
        return { ...answer, convertedObjects: answer.convertedObjects.map(change) };
      };
      assert.match(await failure(convert([gadget('a')])), expected);
    });
  }

  const wrongAnswers: [string, (answer: any) => any, RegExp][] = [
    ['another uid', (a) => ({ ...a, uid: 'x' }), /expected response\.uid=".+", got "x"$/],
    [
      'too few objects',
      (a) => ({ ...a, convertedObjects: [] }),
      /^returned 0 objects, expected 1$/,
    ],
    ['objects that are not a list', (a) => ({ ...a, convertedObjects: {} }), /must be a list$/],
    [
      'a failure',
      (a) => ({ ...a, result: { status: 'Failure', message: 'not possible' } }),
      /^failed: not possible$/,
    ],
    ['no result', ({ result: _, ...a }) => a, /result\.status was "", not "Success"$/],
    ['no response', () => null, /^failed: no response provided$/],
  ];
  for (const [what, change, expected] of wrongAnswers) {
    it(`refuses an answer with ${what}`, async () => {
      webhook.respond = (request) => change(webhook.succeed(request));
      assert.match(await failure(convert([gadget('a')])), expected);
    });
  }

  it('uses the first review version that it supports, and no unsupported one', async () => {
    assert.equal((await convert([gadget('a')], ['v9', 'v1beta1', 'v1'])).length, 1);
    assert.match(
      await failure(convert([gadget('a')], ['v9'])),
      /no known conversion review version/,
    );
  });

  const brokenServers: [string, TlsServer['handler'], RegExp][] = [
    ['answers 500', (_, res) => answerJson(res, {}, 500), /^failed: .*500$/],
    ['redirects', (_, res) => void res.writeHead(302, { location: '/' }).end(), /^failed: .*302$/],
    ['answers nothing', (_, res) => void res.end(), /^failed: the response is empty$/],
    [
      'answers no JSON',
      (_, res) => void res.end('{"a": tr'),
      /^failed: the response is not valid JSON$/,
    ],
    ['answers no UTF-8', (_, res) => void res.end(Buffer.from([0xff, 0xfe])), /UTF-8$/],
    [
      'answers something else',
      (_, res) => answerJson(res, { kind: 'Pod', apiVersion: 'v1' }),
      /expected webhook response/,
    ],
    ['breaks off', (req) => void req.socket.destroy(), /^failed: Post "https:.*timeout=30s"/],
    [
      'answers without end',
      (_, res) => {
        const more = (): void => {
          while (res.write('x'.repeat(1 << 20)) && !res.destroyed);
        };
        res.on('drain', more);
        more();
      },
      /longer than/,
    ],
  ];
  for (const [what, handler, expected] of brokenServers) {
    it(`fails when the server ${what}`, async () => {
      const server = await TlsServer.start({ handler });
      const config = { url: server.url, caBundle: server.caBundle };
      try {
        assert.match(await failure(convert([gadget('a')], ['v1'], config)), expected);
      } finally {
        await server.close();
      }
    });
  }

  it('fails when no server listens', async () => {
    const server = await TlsServer.start({ handler: () => undefined });
    const config = { url: server.url, caBundle: server.caBundle };
    await server.close();
    assert.match(
      await failure(convert([gadget('a')], ['v1'], config)),
      /: connection refused by 127\.0\.0\.1 port \d+$/,
    );
  });

  it('fails when another authority has signed the certificate, or it names another server', async () => {
    const signer = await makeAuthority('other-ca', Date.now());
    for (const options of [{ signer }, { names: ['other.example.com'] }]) {
      const server = await TlsServer.start({ handler: () => undefined, ...options });
      const config = { url: server.url, caBundle: server.caBundle };
      assert.match(await failure(convert([gadget('a')], ['v1'], config)), /^failed: Post/);
      assert.equal(server.requests.length, 0);
      await server.close();
    }
  });

  it('refuses an answer of more fields than objects may have', async () => {
    webhook.convert = (object, desired) => ({
      ...object,
      apiVersion: desired,
      spec: Object.fromEntries(Array.from({ length: 150_001 }, (_, i) => [`k${i}`, 1])),
    });
    const told = await failure(convert([gadget('a')]));
    webhook.convert = renameSize;
    assert.equal(told, 'failed: the response exceeded max number of 150000 fields');
  });

  it('gives up after thirty seconds', async () => {
    const clock = new FakeClock();
    const impatient = new HttpsClient({ resolver: dnsResolver, clock });
    const by = new WebhookConverter({ client: impatient, clock, newUid: randomUUID });
    let called = (): void => undefined;
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    const server = await TlsServer.start({ handler: () => called() });
    const config = { url: server.url, caBundle: server.caBundle };
    const outcome = failure(convert([gadget('a')], ['v1'], config, by));
    await isCalled;
    await clock.advance(30_000);
    assert.match(await outcome, /context deadline exceeded$/);
    impatient.close();
    await server.close();
  });
});
