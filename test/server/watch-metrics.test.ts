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
});
