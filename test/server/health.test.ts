import assert from 'node:assert/strict';
import { Plinth } from '../support/plinth.ts';

describe('health', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  /** Behaviours 1.12: the names that probes and dashboards ask for. */
  const CHECKS = {
    healthz: ['ping', 'log', 'etcd'],
    livez: ['ping', 'log', 'etcd'],
    readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', 'shutdown'],
  };
  for (const [endpoint, names] of Object.entries(CHECKS)) {
    it(`/${endpoint} tells of each check, which has a path of its own`, async () => {
      const { text } = await plinth.get(`/${endpoint}?verbose`);
      for (const name of names) {
        assert.ok(text.split('\n').includes(`[+]${name} ok`), text);
        const one = await plinth.get(`/${endpoint}/${name}`);
        assert.deepEqual([one.status, one.text], [200, 'ok'], name);
      }
      assert.match(text, /^\[\+\]poststarthook\/\S+ ok$/m);
      assert.match(text, new RegExp(`\n${endpoint} check passed\n$`));
      const { json } = await plinth.get('/');
      for (const name of names) assert.ok(json.paths.includes(`/${endpoint}/${name}`), name);
    });
  }
});
