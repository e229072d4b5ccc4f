import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { decodeProtobuf, UnknownKind } from '../../wire/protobuf/envelope.ts';
import { ConversionWebhook, gadgetDefinition } from '../support/conversion-webhook.ts';
import { CRDS, install, MERGE, patched, shownAs } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import {
  BOX_VERSIONS,
  CONVERTED_GROUP,
  SUBJECTS,
  selectionsOf,
  type Subject,
} from './contract-kinds.ts';

const SET = 'set%3Dcontract';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const withSet = (query: string): string =>
  query.startsWith('labelSelector') ? query : `${query}&labelSelector=${SET}`;
/** An empty table or list of metadata has null in place of its items, as Kubernetes has it. */
const namesOf = (items: readonly any[] | null | undefined): string =>
  (items ?? []).map(({ metadata }) => metadata.name).join(' ');

for (const store of ['embedded', 'etcd'] as const) {
  describe(`every query to built-in and custom kinds, on the ${store} store`, () => {
    let etcd: TestEtcd | undefined;
    let plinth: Plinth;
    let webhook: ConversionWebhook;
    before(async () => {
      etcd = store === 'etcd' ? await TestEtcd.start() : undefined;
      plinth = await Plinth.start({ args: etcd === undefined ? [] : ['--etcd-servers', etcd.url] });
      webhook = await ConversionWebhook.start();
      await install(plinth, { plural: 'boxes', kind: 'Box', versions: BOX_VERSIONS });
      const gadgets = gadgetDefinition(CONVERTED_GROUP, webhook.clientConfig);
      assert.equal((await plinth.send('POST', CRDS, gadgets)).status, 201);
      const path = `/apis/${CONVERTED_GROUP}/v2/gadgets`;
      await eventually(async () => (await plinth.get(path)).status === 200, 'gadgets are served');
    });
    after(async () => {
      await plinth.dispose();
      await webhook.close();
      await etcd?.stop();
    });

    async function ask(path: string, headers?: Record<string, string>): Promise<Reply> {
      const reply = await plinth.get(path, headers);
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      return reply;
    }

    async function made({ path, body }: Subject, name: string, value?: number): Promise<void> {
      const object: any = body(value);
      const metadata = { ...object.metadata, name, labels: { set: 'contract', n: name } };
      const reply = await plinth.send('POST', path, { ...object, metadata });
      assert.equal(reply.status, 201, reply.text);
    }

    async function fresh(subject: Subject): Promise<void> {
      const gone = await plinth.send('DELETE', `${subject.path}?labelSelector=${SET}`);
      assert.equal(gone.status, 200, gone.text);
      await made(subject, 'a', 2);
      await made(subject, 'b', 10);
      await made(subject, 'c');
    }

    /** What an answer holds, by the format that it came in. */
    async function read(reply: Reply): Promise<any> {
      const type = String(reply.headers['content-type']);
      if (type.startsWith(PROTOBUF)) {
        const document = await decodeProtobuf(reply.bytes);
        assert.ok(!(document instanceof UnknownKind));
        return document;
      }
      return type.startsWith('application/yaml') ? parse(reply.text) : reply.json;
    }

    /** Headers of the forms that a kind is answered in. */
    const formsOf = ({ isCustom = false }: Subject): Record<string, string>[] => [
      { accept: 'application/json' },
      { accept: 'application/yaml' },
      ...(isCustom ? [] : [{ accept: PROTOBUF }]),
    ];

    for (const subject of SUBJECTS) {
      const { name, path, own, filter, ascending } = subject;
      const order = encodeURIComponent(own);
      const shown = own.startsWith('metadata.') ? 'metadata.annotations' : own.split('.')[0]!;

      describe(name, () => {
        before(() => fresh(subject));

        it('lists, tables, counts', async () => {
          for (const { query, leaves } of selectionsOf(subject)) {
            const asked = `${path}?${withSet(query)}`;
            for (const form of formsOf(subject)) {
              assert.equal(namesOf((await read(await ask(asked, form))).items), leaves, query);
            }
            const table = await ask(asked, shownAs('Table'));
            assert.equal(namesOf(table.json.rows?.map((row: any) => row.object)), leaves, query);
            const partial = await ask(asked, shownAs('PartialObjectMetadataList'));
            assert.equal(namesOf(partial.json.items), leaves, query);
            const number = leaves.split(' ').filter((one) => one !== '').length;
            assert.equal((await ask(`${asked}&count=true`)).json.count, number, query);
            assert.equal((await ask(`${asked}&groupBy=${order}`)).json.count, number, query);
          }
          const counts = (await ask(`${path}?labelSelector=${SET}&groupBy=${order}`)).json.groups;
          assert.deepEqual(counts.map(({ value, count }: any) => `${value} ${count}`).sort(), [
            '10 1',
            '2 1',
            'null 1',
          ]);
        });

        it('orders, in pages too', async () => {
          for (const form of formsOf(subject)) {
            for (const [text, expected] of [
              [order, ascending],
              [
                `${order}:desc,metadata.name`,
                `${ascending.slice(0, 3).split(' ').reverse().join(' ')} c`,
              ],
              ['metadata.name:desc', 'c b a'],
            ] as const) {
              const found: string[] = [];
              let token = '';
              do {
                const more = token === '' ? '' : `&continue=${token}`;
                const asked = `${path}?orderBy=${text}&limit=1&labelSelector=${SET}${more}`;
                const { items, metadata } = await read(await ask(asked, form));
                found.push(namesOf(items));
                token = metadata.continue ?? '';
                assert.equal(Number(metadata.remainingItemCount ?? 0), 3 - found.length, asked);
              } while (token !== '');
              assert.equal(found.join(' '), expected, text);
            }
          }
        });

        it('a get', async () => {
          for (const { query, leaves } of selectionsOf(subject)) {
            for (const one of ['a', 'b', 'c']) {
              const isLeft = leaves.split(' ').includes(one);
              for (const form of [...formsOf(subject), shownAs('Table')]) {
                const reply = await plinth.get(`${path}/${one}?${query}`, form);
                assert.equal(reply.status, isLeft ? 200 : 404, `${one} ${query}: ${reply.text}`);
              }
            }
          }
          assert.equal((await plinth.get(`${path}/a?fieldSelector=spec.nothing%3Dx`)).status, 400);
          assert.equal((await plinth.get(`${path}/a?labelSelector=a%3D%3D%3D`)).status, 400);
        });

        it('parts of objects', async () => {
          for (const form of formsOf(subject)) {
            const asked = `fields=${order}`;
            const one = await read(await ask(`${path}/b?${asked}`, form));
            const { items } = await read(await ask(`${path}?${asked}&labelSelector=${SET}`, form));
            for (const object of [one, items[1]]) {
              assert.equal(object.metadata.name, 'b');
              assert.notEqual(object.metadata.resourceVersion, undefined);
              assert.equal(object.metadata.labels, undefined);
              assert.ok(JSON.stringify(object).includes('10'));
              const keys = Object.keys(object).filter(
                (key) => !/^(apiVersion|kind|metadata)$/.test(key),
              );
              assert.deepEqual(keys, shown.startsWith('metadata') ? [] : [shown]);
            }
            const whole = await read(await ask(`${path}/b`, form));
            const cut = await read(await ask(`${path}/b?managedFields=omit`, form));
            assert.notEqual(whole.metadata.managedFields, undefined);
            delete whole.metadata.managedFields;
            assert.deepEqual(cut, whole);
          }
        });

        it('the part that a user may see', async () => {
          const stranger = { 'impersonate-user': 'stranger' };
          for (const query of [
            '',
            '&count=true',
            `&orderBy=${order}`,
            `&groupBy=${order}`,
            '&watch=1',
          ]) {
            assert.equal((await plinth.get(`${path}?${query}`, stranger)).status, 403, query);
          }
          for (const query of ['', `&orderBy=${order}`, `&filter=${encodeURIComponent(filter)}`]) {
            const part = await ask(`${path}?authorized=true${query}`, stranger);
            assert.deepEqual(part.json.items, []);
            assert.match(String(part.headers['warning']), /part that user/);
          }
          const { json } = await ask(`${path}?authorized=true&groupBy=${order}`, stranger);
          assert.deepEqual([json.count, json.groups], [0, []]);
        });

        it('a watch', async () => {
          await fresh(subject);
          const asked = [
            ...selectionsOf(subject),
            { query: 'fields=metadata.labels', leaves: 'a b c', events: 'D' },
            { query: `fields=${order}`, leaves: 'a b c', events: 'MD' },
            { query: 'managedFields=omit', leaves: 'a b c', events: 'MD' },
          ];
          const begin = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
          const watches = await Promise.all(
            asked.map(async ({ query, leaves, events }) => {
              const seen: string[] = [];
              const stream = await plinth.watch(
                `${path}?${begin}&allowWatchBookmarks=true&${withSet(query)}`,
                ({ type, object }) =>
                  seen.push(type === 'BOOKMARK' ? '|' : `${type[0]} ${object.metadata.name}`),
              );
              const state = leaves
                .split(' ')
                .filter((one) => one !== '')
                .map((one) => `A ${one}`);
              const changes = [...events].map((type) => `${type} b`);
              return { query, seen, stream, expected: [...state, '|', ...changes] };
            }),
          );
          await eventually(() => watches.every(({ seen }) => seen.includes('|')), 'the states');
          const change = await patched(plinth, `${path}/b`, MERGE, subject.body(2));
          assert.equal(change.status, 200, change.text);
          assert.equal((await plinth.send('DELETE', `${path}/b`)).status, 200);
          await eventually(
            () => watches.every(({ seen, expected }) => seen.length >= expected.length),
            'all events',
          );
          for (const { query, seen, stream, expected } of watches) {
            stream.close();
            assert.deepEqual(seen, expected, query);
          }
        });

        it('a deletion of a collection', async () => {
          await fresh(subject);
          const dry = { ...shownAs('PartialObjectMetadataList') };
          for (const { query, leaves } of selectionsOf(subject).filter(
            ({ query: it }) => it !== 'authorized=true',
          )) {
            const gone = await plinth.send(
              'DELETE',
              `${path}?dryRun=All&${withSet(query)}`,
              undefined,
              dry,
            );
            assert.equal(gone.status, 200, gone.text);
            assert.equal(namesOf(gone.json.items), leaves, query);
          }
          for (const query of ['count=true', `groupBy=${order}`]) {
            const refused = await plinth.send('DELETE', `${path}?${query}&labelSelector=${SET}`);
            assert.equal(refused.status, 400, query);
          }
          const matching = `filter=${encodeURIComponent(filter)}&labelSelector=${SET}`;
          assert.equal((await plinth.send('DELETE', `${path}?${matching}`)).status, 200);
          assert.equal(namesOf((await ask(`${path}?labelSelector=${SET}`)).json.items), 'a c');
          const last = `orderBy=metadata.name:desc&limit=1&labelSelector=${SET}`;
          assert.equal((await plinth.send('DELETE', `${path}?${last}`)).status, 200);
          assert.equal(namesOf((await ask(`${path}?labelSelector=${SET}`)).json.items), 'a');
        });
      });
    }

    it('kinds without objects answer everything with nothing', async () => {
      const path = '/api/v1/namespaces/default/pods';
      for (const query of [
        'fieldSelector=status.phase%3DRunning',
        'fieldSelector=metadata.uid',
        'filter=object.metadata.name%20!%3D%20%22x%22',
        'orderBy=metadata.name&limit=1',
        'fields=metadata.labels',
        'managedFields=omit',
        'authorized=true',
        'labelSelector=a',
      ]) {
        assert.deepEqual((await ask(`${path}?${query}`)).json.items, [], query);
        assert.equal((await ask(`${path}?${query}&count=true`)).json.count, 0, query);
        assert.deepEqual((await ask(`${path}?${query}&groupBy=metadata.name`)).json.groups, []);
        assert.equal((await plinth.get(`${path}/x?${query}`)).status, 404, query);
        assert.equal((await plinth.send('DELETE', `${path}?${query}`)).status, 405, query);
        const events: string[] = [];
        const begin = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
        const stream = await plinth.watch(
          `${path}?${begin}&allowWatchBookmarks=true&${query}`,
          ({ type }) => events.push(type),
        );
        await eventually(() => events.length > 0, query);
        stream.close();
        assert.deepEqual(events, ['BOOKMARK'], query);
      }
    });
  });
}
