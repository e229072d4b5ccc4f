import assert from 'node:assert/strict';
import { Plinth } from '../support/plinth.ts';

const WATCH = 'watch=1&timeoutSeconds=1';
const STATE = `${WATCH}&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;

describe('metrics of watches', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  /** Samples of the time until initial states were sent, by resource and scope. */
  async function initialStates(): Promise<Record<string, number>> {
    const { text } = await plinth.send('GET', '/metrics');
    const samples = text.matchAll(
      /^apiserver_watch_list_duration_seconds_count\{.*resource="(\w+)",scope="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries(
      [...samples].map(([, resource, scope, count]) => [`${resource} ${scope}`, Number(count)]),
    );
  }

  it('tell how long the initial state took, of the watches that asked for it', async () => {
    assert.deepEqual(await initialStates(), {});
    const accepts = ['application/json', 'application/vnd.kubernetes.protobuf;stream=watch'];
    for (const accept of [...accepts, 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
      const path = `/api/v1/namespaces?${STATE}`;
      const { status, text } = await plinth.send('GET', path, undefined, { accept });
      assert.equal(status, 200, text);
    }
    await plinth.send('GET', `/api/v1/namespaces/default/configmaps?${STATE}`);
    await plinth.send('GET', `/api/v1/secrets?${WATCH}`);
    assert.deepEqual(await initialStates(), { 'namespaces cluster': 3, 'configmaps namespace': 1 });
  });

  it('count each event of the state that a watch begins with', async () => {
    const configMaps = '/api/v1/namespaces/default/configmaps';
    for (let i = 0; i < 5; i++) {
      const metadata = { name: `c${i}` };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      assert.equal((await plinth.send('POST', configMaps, body)).status, 201);
    }
    const events = async (): Promise<number> => {
      const { text } = await plinth.send('GET', '/metrics');
      const total = /^apiserver_watch_events_total\{.*resource="configmaps"\} (\d+)$/m;
      return Number(total.exec(text)?.[1] ?? 0);
    };
    const before = await events();
    const { text } = await plinth.send('GET', `${configMaps}?${WATCH}`);
    const sent = text.trim().split('\n').length;
    assert.ok(sent >= 5, text);
    assert.equal((await events()) - before, sent);
  });
});
