import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { People } from '../access/people.ts';
import { Reviewer } from '../access/reviewer.ts';
import { eventually, type Reply } from '../support/plinth.ts';
import { UserWatch } from './user-watch.ts';

const ALL = '/api/v1/configmaps';
const STATE = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

describe('the part that an authorization webhook lets a user see', () => {
  let directory: string;
  let reviewer: Reviewer;
  let people: People;
  /** Namespaces that the webhook lets alice read. */
  let open: readonly string[] = ['a'];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-hooks-'));
    reviewer = await Reviewer.start();
    reviewer.answer = ({ user, resourceAttributes: asked }) => ({
      allowed:
        (user === 'alice' || user === 'carol') &&
        (asked?.verb === 'list' || asked?.verb === 'watch') &&
        open.includes(asked.namespace ?? ''),
    });
    const file = reviewer.kubeconfig(directory);
    people = await People.start(
      { alice: [], bob: [], carol: [] },
      {
        args: [
          ...['--authorization-mode', 'RBAC,Webhook'],
          ...['--authorization-webhook-config-file', file],
          ...['--authorization-webhook-cache-authorized-ttl', '1s'],
          ...['--authorization-webhook-cache-unauthorized-ttl', '1s'],
          ...['--stream-recheck-period', '1'],
        ],
      },
    );
    for (const namespace of ['a', 'b']) {
      await people.namespace(namespace);
      for (const name of ['x', 'y']) {
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        await people.make('POST', path, { metadata: { name, labels: { of: 'test' } } });
      }
    }
  });
  after(async () => {
    await people.dispose();
    await reviewer.server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const get = (user: string, query: string): Promise<Reply> =>
    people.as(user, 'GET', `${ALL}?labelSelector=of%3Dtest&${query}`);
  const namesOf = ({ json }: Reply): string[] =>
    json.items.map(({ metadata }: any) => `${metadata.namespace}/${metadata.name}`);

  it('is the namespaces that it allows, asked about once each', async () => {
    assert.equal((await get('alice', '')).status, 403);
    reviewer.asked.length = 0;
    const part = await get('alice', 'authorized=true');
    assert.equal(part.status, 200, part.text);
    assert.deepEqual(namesOf(part), ['a/x', 'a/y']);
    assert.match(String(part.headers.warning), /part that user/);
    const namespaces = reviewer.asked
      .map(({ spec }) => spec.resourceAttributes)
      .filter((asked) => asked?.resource === 'configmaps')
      .map(({ namespace, name, verb }) => `${verb} ${namespace ?? '*'} ${name ?? '*'}`);
    assert.equal(new Set(namespaces).size, namespaces.length, namespaces.join());
    assert.ok(namespaces.includes('list a *') && namespaces.includes('list b *'));
    const counted = await get('alice', 'authorized=true&groupBy=metadata.namespace');
    assert.deepEqual(counted.json.groups, [{ value: 'a', count: 2 }]);
    const ordered = await get('alice', 'authorized=true&orderBy=metadata.name:desc&limit=1');
    assert.deepEqual([namesOf(ordered), ordered.json.metadata.remainingItemCount], [['a/y'], 1]);
    assert.deepEqual(namesOf(await get('bob', 'authorized=true')), []);
  });

  it('is re-evaluated on a watch: objects enter and leave with its decisions', async () => {
    const path = `${ALL}?watch=1&labelSelector=of%3Dtest&authorized=true&${STATE}`;
    const stream = await UserWatch.open(people.plinth, 'alice', path);
    assert.equal(stream.status, 200);
    const told = (...expected: string[]): Promise<void> =>
      eventually(() => stream.told.join() === expected.join(), expected.join());
    const state = ['ADDED a/x', 'ADDED a/y'];
    await told(...state);
    open = ['a', 'b'];
    const entered = [...state, 'ADDED b/x', 'ADDED b/y'];
    await told(...entered);
    open = ['b'];
    await told(...entered, 'DELETED a/x', 'DELETED a/y');
    stream.close();
    open = ['a'];
  });

  it('is empty when the webhook does not answer', async () => {
    const { answer } = reviewer;
    reviewer.fail({});
    const part = await get('carol', 'authorized=true');
    assert.ok(part.status !== 200 || namesOf(part).length === 0, part.text);
    reviewer.answer = answer;
    assert.deepEqual(namesOf(await get('carol', 'authorized=true')), ['a/x', 'a/y']);
  });
});
