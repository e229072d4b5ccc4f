import assert from 'node:assert/strict';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { ProtobufReader } from '../../api/protobuf/reader.ts';
import { decodeProtobuf, UnknownKind } from '../../wire/protobuf/envelope.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { NAMESPACE_OBJECT } from './objects.ts';
import { BODIES, comparable, GATES, PROTOBUF } from './protobuf-bodies.ts';

/** Protobuf does not tell an empty list or map from none, nor null. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const isFull = (item: JsonValue): boolean =>
    item !== null && (typeof item !== 'object' || Object.keys(item).length > 0);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]): [string, JsonValue] => [key, withoutEmpty(item)])
      .filter(([, item]) => isFull(item)),
  );
}

async function read(document: Buffer): Promise<JsonObject> {
  const object = await decodeProtobuf(document);
  if (object instanceof UnknownKind) throw new Error(`${object.apiVersion} ${object.kind}`);
  return object;
}

/** An answer in protobuf next to the same in JSON; what is read has the neutral names. */
function same(protobuf: JsonObject, json: JsonObject): void {
  const { apiVersion: _, ...fields } = protobuf;
  const { apiVersion: __, ...shown } = JSON.parse(
    JSON.stringify(json).replaceAll('"x-kubernetes-', '"x-cluster-'),
  ) as JsonObject;
  assert.deepEqual(comparable(withoutEmpty(fields)), comparable(withoutEmpty(shown)));
}

describe('protobuf answers of every built-in kind', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
    for (const { path, object } of BODIES) {
      if (isStored(path)) await plinth.send('POST', path, object);
    }
  });
  after(() => plinth.dispose());

  const isStored = (path: string): boolean => !/reviews$|\/token$/.test(path);
  const collections = new Set([
    ...BODIES.map(({ path }) => path).filter(isStored),
    ...['/api/v1/pods', '/api/v1/services', '/api/v1/componentstatuses'],
  ]);
  const alias = (path: string): string => path.replace('.cluster.io/', '.k8s.io/');
  const ask = async (
    method: string,
    path: string,
    body?: JsonObject,
    accept: string = PROTOBUF,
  ): Promise<Reply & { readonly type: unknown }> => {
    const reply = await plinth.send(method, path, body, { accept });
    return { ...reply, type: reply.headers['content-type'] };
  };

  for (const { path, object } of BODIES) {
    it(`to a create say what JSON says: ${object['kind'] as string} ${object['apiVersion'] as string}`, async () => {
      const dryRun = isStored(path) ? `${path}?dryRun=All` : path;
      const named = { ...object, metadata: { ...(object['metadata'] as object), name: 'other' } };
      const json = await plinth.send('POST', dryRun, named);
      const answer = await ask('POST', dryRun, named);
      assert.deepEqual([answer.status, answer.type], [json.status, PROTOBUF]);
      same(await read(answer.bytes), json.json);
    });
  }

  for (const neutral of collections) {
    for (const path of new Set([neutral, alias(neutral)])) {
      it(`to a list and a get: ${path}`, async () => {
        const json = (await plinth.get(path)).json;
        const list = await ask('GET', path);
        assert.deepEqual([list.status, list.type], [200, PROTOBUF], list.text);
        same(await read(list.bytes), json);
        const [item] = json.items;
        if (item === undefined) return;
        const one = `${path}/${item.metadata.name}`;
        same(await read((await ask('GET', one)).bytes), (await plinth.get(one)).json);
      });
    }
  }

  it('to watches: every event behind its length', async () => {
    const watched = [...collections]
      .filter((path) => !path.endsWith('/componentstatuses'))
      .map(async (path) => {
        const { items } = (await plinth.get(path)).json;
        let seen: string[] = [];
        // on a busy machine a stream may end before it has begun
        for (let seconds = 1; seconds <= 16 && seen.length < items.length; seconds *= 4) {
          const query = `watch=1&timeoutSeconds=${seconds}`;
          const stream = await ask('GET', `${path}?${query}`, undefined, STREAM);
          assert.deepEqual([stream.status, stream.type], [200, STREAM], path);
          const events = await eventsOf(stream.bytes);
          // a loop may complete an object's status meanwhile: MODIFIED
          const added = events.filter(({ type }) => type === 'ADDED');
          seen = added.map(({ object }) => nameOf(object));
        }
        assert.deepEqual(seen, items.map(nameOf), path);
      });
    await Promise.all(watched);
  });

  it('to a watch that cannot go on: the reason', async () => {
    const path = '/api/v1/configmaps?watch=1&resourceVersion=1';
    const stream = await ask('GET', path, undefined, STREAM);
    const [event] = stream.type === STREAM ? await eventsOf(stream.bytes) : [];
    const status = event?.object ?? (await read(stream.bytes));
    assert.deepEqual([status['kind'], status['reason']], ['Status', 'Expired']);
  });

  it('a Status, metadata alone, and 406 for what has no message', async () => {
    const missing = await ask('GET', '/api/v1/namespaces/default/configmaps/missing');
    assert.equal(missing.status, 404);
    const { kind, reason, code } = (await read(missing.bytes)) as any;
    assert.deepEqual([kind, reason, code], ['Status', 'NotFound', 404]);

    const partial = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const metadata = await ask('GET', '/api/v1/namespaces', undefined, partial);
    const { kind: listKind, items } = (await read(metadata.bytes)) as any;
    assert.deepEqual([listKind, items[0].spec], ['PartialObjectMetadataList', undefined]);

    const table = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`;
    assert.equal((await ask('GET', '/api/v1/namespaces', undefined, table)).status, 406);
  });

  it('a list beyond what is kept while its length is counted is whole', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    for (let i = 0; i < 5; i++) {
      const data = { text: String(i).repeat(400_000) };
      await plinth.send('POST', path, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `large-${i}` },
        data,
      });
    }
    same(await read((await ask('GET', path)).bytes), (await plinth.get(path)).json);
  });

  it('go to who accepts nothing else', async () => {
    const both = `${PROTOBUF},application/json`;
    assert.equal(
      (await ask('GET', '/api/v1/namespaces', undefined, both)).type,
      'application/json',
    );
  });
});

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) ? (metadata['name'] as string) : '';
}

const STREAM = `${PROTOBUF};stream=watch`;

interface StreamEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** Each event stands behind its length, and has a type and the document of an object. */
async function eventsOf(stream: Buffer): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for (let at = 0; at < stream.length;) {
    const end = at + 4 + stream.readUInt32BE(at);
    const reader = new ProtobufReader(stream.subarray(at + 4, end));
    reader.next();
    const type = reader.text();
    reader.next();
    const inner = reader.nested();
    inner.next();
    events.push({ type, object: await read(inner.bytes()) });
    at = end;
  }
  return events;
}
