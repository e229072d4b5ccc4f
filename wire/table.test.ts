import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { systemClock } from '../api/clock.ts';
import { getPath, type JsonObject, type JsonValue } from '../api/json.ts';
import { ageColumn, createdAtColumn, nameColumn } from '../resources/columns.ts';
import type { Column } from '../resources/definition.ts';
import type { Entry } from '../watch/entry.ts';
import { respondList } from './respond-list.ts';
import { respondObject } from './respond-object.ts';
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
import { parseYaml } from '../yaml/parse.ts';

const AS = (kind: string, version = 'v1', group = 'meta.cluster.io'): string =>
  `application/json;as=${kind};v=${version};g=${group}`;
const CREATED = Date.parse('2024-01-02T03:04:05Z');

interface Ask {
  readonly accept?: string;
  readonly query?: string;
}

const exchangeOf = ({ accept = AS('Table'), query = '' }: Ask) =>
  testExchange({ target: `/x${query}`, headers: { accept } });

async function list(
  resource = leases(),
  entries: Entry[] = [],
  ask: Ask = {},
): Promise<JsonObject> {
  const parts = { ...testParts(), clock: { ...systemClock, now: () => CREATED + 90_000 } };
  const target = { resource, namespace: '', name: '' };
  return jsonOf(await respondList(exchangeOf(ask), parts, target, listOf(entries)));
}

const custom: Column = {
  name: 'Size',
  type: 'integer',
  format: 'int64',
  description: 'How large.',
  priority: 1,
  cell: (object) => getPath(object, 'spec', 'size') ?? null,
};

describe('a table', () => {
  it('has a row for each object, with its metadata', async () => {
    const entry = entryOf(leases(), 'a', 3n, { spec: { holderIdentity: 'one' } });
    const table = await list(leases(), [entry]);
    assert.deepEqual(Object.keys(table), [
      ...['kind', 'apiVersion', 'metadata', 'columnDefinitions', 'rows'],
    ]);
    assert.equal(table.kind, 'Table');
    assert.equal(table.apiVersion, 'meta.cluster.io/v1');
    assert.deepEqual(table.metadata, { resourceVersion: '7' });
    const definitions = table.columnDefinitions as JsonObject[];
    assert.deepEqual(
      definitions.map(({ name, type, format, priority }) => [name, type, format, priority]),
      [
        ['Name', 'string', 'name', 0],
        ['Holder', 'string', '', 0],
        ['Age', 'string', '', 0],
      ],
    );
    assert.deepEqual(table.rows, [
      {
        cells: ['a', 'one', '90s'],
        object: {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.cluster.io/v1',
          metadata: entry.object().metadata,
        },
      },
    ]);
  });

  it('answers in the version and the spelling that were asked for', async () => {
    const entry = entryOf(leases(), 'a', 3n);
    for (const [version, group] of [
      ['v1', 'meta.k8s.io'],
      ['v1beta1', 'meta.k8s.io'],
      ['v1beta1', 'meta.cluster.io'],
    ]) {
      const table = await list(leases(), [entry], { accept: AS('Table', version, group) });
      assert.equal(table.apiVersion, `${group}/${version}`);
      assert.equal(
        getPath((table.rows as JsonValue[])[0], 'object', 'apiVersion'),
        table.apiVersion,
      );
    }
  });

  it('carries what includeObject says', async () => {
    const entry = entryOf(gadgets(), 'a', 3n, { spec: { size: 1 } });
    const objectOf = async (query: string): Promise<JsonValue | undefined> => {
      const { rows } = await list(gadgets(), [entry], { query });
      return getPath((rows as JsonValue[])[0], 'object');
    };
    assert.equal(await objectOf('?includeObject=None'), null);
    assert.deepEqual(await objectOf('?includeObject=Object'), entry.object());
    assert.equal(
      getPath(await objectOf('?includeObject=Metadata'), 'kind'),
      'PartialObjectMetadata',
    );
    await assert.rejects(objectOf('?includeObject=all'), ApiError);
  });

  it('leaves managed fields out of the metadata of its rows where the client asks for that', async () => {
    const metadata = { managedFields: [{ manager: 'x' }], labels: { a: 'b' } };
    const entry = entryOf(gadgets(), 'a', 3n, { spec: { size: 1 } });
    const object = { ...entry.object(), metadata: { ...entry.object().metadata, ...metadata } };
    const full = entryOf(gadgets(), 'a', 3n, object);
    const { rows } = await list(gadgets(), [full], { query: '?managedFields=omit' });
    const shown = getPath((rows as JsonValue[])[0], 'object', 'metadata');
    assert.equal(getPath(shown, 'managedFields'), undefined);
    assert.equal(getPath(shown, 'labels', 'a'), 'b');
    assert.equal(getPath(shown, 'uid'), getPath(full.object(), 'metadata', 'uid') as JsonValue);
  });

  it('shows how a page goes on, and how an empty one looks', async () => {
    const target = { resource: gadgets(), namespace: '', name: '' };
    const page = listOf([], { continueToken: 'x', remaining: 3 });
    const table = await jsonOf(await respondList(exchangeOf({}), testParts(), target, page));
    assert.deepEqual(table.metadata, {
      continue: 'x',
      remainingItemCount: 3,
      resourceVersion: '7',
    });
    assert.deepEqual(table.rows, []);
    assert.equal((await list(gadgets([nameColumn, createdAtColumn]))).rows, null);
  });

  it('is the same when it is asked for again, but for the ages', async () => {
    let now = CREATED;
    const resource = gadgets([nameColumn, ageColumn, custom, ageColumn]);
    const entries = [1n, 9007199254740993n].map((size, i) =>
      entryOf(resource, `n${i}`, BigInt(i + 1), { spec: { size } }),
    );
    const parts = { ...testParts(), clock: { ...systemClock, now: () => now } };
    const target = { resource, namespace: '', name: '' };
    const text = async (): Promise<string> =>
      (await bodyOf(await respondList(exchangeOf({}), parts, target, listOf(entries)))).toString();
    const first = await text();
    assert.match(first, /"cells":\["n1","0s",9007199254740993,"0s"\]/);
    now += 5_000;
    assert.equal(await text(), first.replaceAll('"0s"', '"5s"'));
    const other = { ...target, resource: gadgets([custom]) };
    const changed = await respondList(exchangeOf({}), parts, other, listOf(entries));
    assert.match((await bodyOf(changed)).toString(), /"cells":\[1\]/);
  });

  it('may look at managed fields', async () => {
    const managers: Column = {
      ...custom,
      cell: (object) => getPath(object, 'metadata', 'managedFields') ?? null,
    };
    const resource = gadgets([managers]);
    const entry = entryOf(resource, 'a', 1n, { metadata: { managedFields: [{ manager: 'me' }] } });
    const { rows } = await list(resource, [entry]);
    assert.deepEqual(getPath((rows as JsonValue[])[0], 'cells'), [[{ manager: 'me' }]]);
  });

  it('of one object stands under its revision', async () => {
    const resource = gadgets();
    const stored = entryOf(resource, 'a', 3n, {
      metadata: { annotations: { resourceVersion: '9' } },
    });
    const table = await jsonOf(await respondObject(exchangeOf({}), resource, stored.bytes, 200));
    assert.deepEqual(table.metadata, { resourceVersion: '3' });
    assert.equal((table.rows as JsonValue[]).length, 1);
    const unstored = Buffer.from(
      '{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"annotations":{"resourceVersion":"9"},"name":"a"}}',
    );
    const dryRun = await jsonOf(await respondObject(exchangeOf({}), resource, unstored, 201));
    assert.deepEqual(dryRun.metadata, {});
  });

  it('is the same table in YAML', async () => {
    const entries = ['a', 'b'].map((name) => entryOf(leases(), name, 3n));
    const target = { resource: leases(), namespace: '', name: '' };
    const accept = AS('Table').replace('json', 'yaml');
    const response = await respondList(
      exchangeOf({ accept }),
      testParts(),
      target,
      listOf(entries),
    );
    assert.equal(response.headers['content-type'], 'application/yaml');
    const { value } = parseYaml((await bodyOf(response)).toString());
    const json = await respondList(exchangeOf({}), testParts(), target, listOf(entries));
    assert.deepEqual(value, await jsonOf(json));
  });
});

describe('metadata only', () => {
  it('of a list', async () => {
    const entry = entryOf(gadgets(), 'a', 3n, { spec: { size: 1 } });
    const accept = AS('PartialObjectMetadataList');
    assert.deepEqual(await list(gadgets(), [entry], { accept }), {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.cluster.io/v1',
      metadata: { resourceVersion: '7' },
      items: [
        {
          kind: 'PartialObjectMetadata',
          apiVersion: 'meta.cluster.io/v1',
          metadata: entry.object().metadata,
        },
      ],
    });
    assert.equal((await list(gadgets(), [], { accept })).items, null);
  });

  it('of an object', async () => {
    const resource = gadgets();
    const { bytes } = entryOf(resource, 'a', 3n, { spec: { size: 1 } });
    const exchange = exchangeOf({ accept: AS('PartialObjectMetadata', 'v1beta1', 'meta.k8s.io') });
    assert.deepEqual(await jsonOf(await respondObject(exchange, resource, bytes, 200)), {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: (JSON.parse(bytes.toString()) as JsonObject).metadata,
    });
  });

  it('distinguishes requests for one object and for a list', async () => {
    await assert.rejects(
      list(gadgets(), [], { accept: AS('PartialObjectMetadata') }),
      /you requested PartialObjectMetadata, but the requested object is a list/,
    );
    const { bytes } = entryOf(gadgets(), 'a', 3n);
    assert.throws(
      () =>
        respondObject(
          exchangeOf({ accept: AS('PartialObjectMetadataList') }),
          gadgets(),
          bytes,
          200,
        ),
      /is not a list/,
    );
  });
});
