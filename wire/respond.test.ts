import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forbidden, notFound, tooManyRequests } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import type { Entry } from '../watch/entry.ts';
import { respondList } from './respond-list.ts';
import { respondObject } from './respond-object.ts';
import { respondError, respondStatus } from './respond-status.ts';
import {
  bodyOf,
  entryOf,
  gadgets,
  jsonOf,
  leases,
  listOf,
  testExchange,
  testParts,
} from './testing.ts';
import { yamlText } from '../yaml/emit.ts';
import { parseYaml } from '../yaml/parse.ts';

const target = (resource = leases()) => ({ resource, namespace: 'ns', name: '' });

describe('an object', () => {
  it('is sent as its finished bytes, with its length and a line feed', async () => {
    const resource = leases();
    const { bytes } = entryOf(resource, 'a', 5n, { spec: { holderIdentity: 'x' } });
    const response = await respondObject(testExchange(), resource, bytes, 201);
    assert.equal(response.status, 201);
    assert.deepEqual(response.headers, {
      'content-type': 'application/json',
      'content-length': String(bytes.length + 1),
    });
    assert.equal((await bodyOf(response)).toString(), `${bytes.toString()}\n`);
  });

  it('is indented when asked for', async () => {
    const resource = leases();
    const { bytes } = entryOf(resource, 'a', 5n, { spec: { n: 9007199254740993n } });
    const response = await respondObject(
      testExchange({ target: '/x?pretty=1' }),
      resource,
      bytes,
      200,
    );
    const text = (await bodyOf(response)).toString();
    assert.match(
      text,
      /^\{\n {2}"apiVersion": "coordination.cluster.io\/v1",\n {2}"kind": "Lease"/,
    );
    assert.match(text, /\n {4}"n": 9007199254740993\n {2}\}\n\}\n$/);
  });
});

describe('a list', () => {
  const entries = (resource = leases(), count = 3): Entry[] =>
    Array.from({ length: count }, (_, i) =>
      entryOf(resource, `n${i}`, BigInt(i + 1), { spec: { text: 'ä'.repeat(i % 500) } }),
    );

  it('of a built-in kind has items without apiVersion and kind', async () => {
    const body = await jsonOf(
      await respondList(testExchange(), testParts(), target(), listOf(entries())),
    );
    assert.deepEqual(Object.keys(body), ['kind', 'apiVersion', 'metadata', 'items']);
    assert.equal(body.kind, 'LeaseList');
    assert.deepEqual(body.metadata, { resourceVersion: '7' });
    const expected = entries().map((entry) => {
      const { apiVersion: _, kind: __, ...item } = entry.object();
      return item;
    });
    assert.deepEqual(body.items, expected);
  });

  it('of a custom resource has them, and always says whether it goes on', async () => {
    const resource = gadgets();
    const result = listOf(entries(resource));
    const body = await jsonOf(
      await respondList(testExchange(), testParts(), target(resource), result),
    );
    assert.deepEqual(body.metadata, { continue: '', resourceVersion: '7' });
    assert.deepEqual(
      body.items,
      entries(resource).map((entry) => entry.object()),
    );
  });

  it('shows how a page goes on', async () => {
    const result = listOf([], { continueToken: 'abc', remaining: 12 });
    const body = await jsonOf(await respondList(testExchange(), testParts(), target(), result));
    assert.deepEqual(body.metadata, {
      continue: 'abc',
      remainingItemCount: 12,
      resourceVersion: '7',
    });
    assert.deepEqual(body.items, []);
  });

  it('is the same document in every layout and size (property)', async () => {
    const layout = fc.constantFrom('json', 'pretty', 'yaml');
    // a page is gathered before it is answered
    const kind = fc.record({ custom: fc.boolean(), isPage: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.nat(600), kind, layout, async (count, { custom, isPage }, format) => {
        const resource = custom ? gadgets() : leases();
        const all = entries(resource, count);
        const accept = format === 'yaml' ? 'application/yaml' : 'application/json';
        const exchange = testExchange({
          target: format === 'pretty' ? '/x?pretty=1' : '/x',
          headers: { accept },
        });
        const parts = testParts();
        const answered = (): ReturnType<typeof respondList> =>
          respondList(
            exchange,
            parts,
            target(resource),
            listOf(all, isPage ? { items: () => all } : {}),
          );
        const first = await bodyOf(await answered());
        // by now nothing has to be made
        const response = await answered();
        assert.equal(response.headers['content-type'], accept);
        const text = (await bodyOf(response)).toString();
        assert.equal(text, first.toString());
        const { 'content-length': length = String(first.length) } = response.headers;
        assert.equal(length, String(first.length));
        if (isPage && format === 'json') assert.ok('content-length' in response.headers);
        const body = parseYaml(text).value as JsonObject;
        const naive = all.map((entry) => {
          const item: JsonObject = entry.object();
          if (!custom) {
            delete item.apiVersion;
            delete item.kind;
          }
          return item;
        });
        assert.deepEqual(body.items, naive);
        const indent = format === 'pretty' ? 2 : undefined;
        const whole =
          format === 'yaml' ? yamlText(body) : `${JSON.stringify(body, null, indent)}\n`;
        assert.equal(text, whole);
      }),
      { numRuns: 30 },
    );
  });

  it('is written piece by piece, and no more than what is taken', async () => {
    let made = 0;
    const resource = gadgets();
    const one = entryOf(resource, 'a', 1n, { spec: { text: 'x'.repeat(1400) } });
    async function* endless(): AsyncIterable<Entry[]> {
      for (;;) {
        made += 100;
        yield await Promise.resolve(Array.from({ length: 100 }, () => one));
      }
    }
    const result = listOf([], { chunks: endless() });
    const response = await respondList(testExchange(), testParts(), target(resource), result);
    assert.ok(!Buffer.isBuffer(response.body) && Symbol.asyncIterator in response.body);
    const pieces = response.body[Symbol.asyncIterator]();
    for (let i = 0; i < 10; i++) {
      const { value } = (await pieces.next()) as { value: Buffer };
      assert.ok(value.length <= 128 * 1024);
      assert.ok(made * 1500 < (i + 6) * 128 * 1024 + 150_000, `${made} at ${i}`);
    }
    await pieces.return?.();
  });

  it('fails as a whole when one of the first objects cannot be shown', async () => {
    const resource = leases();
    const broken = entryOf(gadgets(), 'a', 1n);
    await assert.rejects(async () =>
      respondList(testExchange(), testParts(), target(resource), listOf([broken])),
    );
  });
});

describe('a Status', () => {
  const missing = notFound({ group: '', resource: 'nodes' }, 'a');

  it('is JSON, also for clients that accept something else', async () => {
    for (const accept of [
      'application/json',
      'image/png',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    ]) {
      const response = respondError(testExchange({ headers: { accept } }), missing);
      assert.equal(response.status, 404);
      assert.equal(response.headers['content-type'], 'application/json');
      assert.deepEqual(await jsonOf(response), missing.status);
    }
  });

  it('says when to retry', () => {
    const { headers } = respondError(testExchange(), tooManyRequests('later', 5));
    assert.equal(headers['retry-after'], '5');
  });

  it('of a refusal is never sniffed', () => {
    const { headers } = respondError(
      testExchange(),
      forbidden({ group: '', resource: 'x' }, '', 'no'),
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('is YAML for those who want it', async () => {
    const response = respondError(
      testExchange({ headers: { accept: 'application/yaml' } }),
      missing,
    );
    assert.equal(response.headers['content-type'], 'application/yaml');
    assert.deepEqual(parseYaml((await bodyOf(response)).toString()).value, missing.status);
  });

  it('may be a success', () => {
    const response = respondStatus(
      testExchange(),
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
      202,
    );
    assert.equal(response.status, 202);
  });
});
