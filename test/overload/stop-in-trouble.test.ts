import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Reviewer } from '../access/reviewer.ts';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  Registrations,
} from '../support/admission-webhook.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const SHORT = ['--shutdown-grace-period', '2'];
const users = tokenUsers(['user']);

describe('a stop while something hangs', function () {
  // what takes the minute that a stop may take in general is not bounded by itself
  this.timeout(55_000);
  let dir = '';
  let plinth: Plinth;
  let end: (() => Promise<void>)[] = [];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'plinth-stop-'));
  });
  afterEach(async () => {
    for (const one of end.reverse()) await one();
    end = [];
    rmSync(dir, { recursive: true, force: true });
  });
  const start = async (...args: string[]): Promise<void> => {
    plinth = await Plinth.start({ args });
    end.push(() => plinth.dispose());
  };

  for (const mode of ['batch', 'blocking']) {
    it(`is not delayed by an audit webhook that never answers (${mode})`, async () => {
      const hung = await Reviewer.start();
      hung.answer = () => undefined;
      end.push(() => hung.server.close());
      const policy = join(dir, 'policy.yaml');
      const rules = [{ level: 'None', nonResourceURLs: ['/*'] }, { level: 'Metadata' }];
      writeFileSync(policy, stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
      await start(
        ...['--audit-policy-file', policy, '--audit-webhook-mode', mode],
        ...['--audit-webhook-config-file', hung.kubeconfig(dir)],
        ...['--audit-webhook-batch-max-wait', '0', '--audit-webhook-batch-max-size', '1'],
      );
      const requests = [1, 2, 3].map(() => plinth.get('/api/v1/namespaces').catch(() => undefined));
      await eventually(() => hung.asked.length > 0, 'an event is on its way');
      assert.equal(await plinth.stop(), 0);
      await Promise.all(requests);
    });
  }

  it('waits for an admission webhook no longer than for its own limit', async () => {
    const webhooks = await AdmissionWebhooks.start();
    end.push(() => webhooks.close());
    await start();
    webhooks.on('/hangs', () => undefined);
    const registrations = new Registrations(() => plinth);
    const hook = webhooks.hook('/hangs', { timeoutSeconds: 2, failurePolicy: 'Ignore' });
    await registrations.webhooks('validating', 'hangs', hook);
    const written = plinth.send('POST', leasePath(), lease());
    await eventually(() => webhooks.requests().length > 0, 'it is asked');
    assert.equal(await plinth.stop(), 0);
    assert.equal((await written).status, 201, 'what was under way is answered');
  });

  for (const flag of [
    '--authentication-token-webhook-config-file',
    '--authorization-webhook-config-file',
  ]) {
    it(`waits for the server of ${flag} no longer than for the grace`, async () => {
      const hung = await Reviewer.start();
      end.push(() => hung.server.close());
      hung.answer = () => undefined;
      const mode = flag.includes('authorization') ? ['--authorization-mode', 'Webhook'] : [];
      await start(flag, hung.kubeconfig(dir), ...mode, ...users.args.slice(0, 2), ...SHORT);
      const user = mode.length > 0 ? users.as('user') : { authorization: 'Bearer unknown' };
      const asked = plinth.get('/api/v1/namespaces', user).catch(() => undefined);
      await eventually(() => hung.asked.length > 0, 'it is asked');
      assert.equal(await plinth.stop(), 0);
      await asked;
    });
  }

  it('completes when etcd is unreachable', async () => {
    const etcd = await TestEtcd.start();
    end.push(() => etcd.dispose());
    await start('--storage', 'etcd', '--etcd-servers', etcd.url, ...SHORT);
    const watch = await RawClient.open(plinth.url);
    await etcd.kill();
    void plinth.send('POST', leasePath(), lease()).catch(() => undefined);
    assert.equal(await plinth.stop(), 0);
    watch.close();
  });

  it('completes while clients neither read nor finish sending', async () => {
    await start(...users.args, ...SHORT);
    const user = users.as('user');
    const payload = 'x'.repeat(200_000);
    const clients: RawClient[] = [];
    const open = async (text: string): Promise<RawClient> => {
      const client = await RawClient.open(plinth.url);
      client.send(text);
      clients.push(client);
      return client;
    };
    const watches = await Promise.all(
      Array.from({ length: 5 }, () => open(head('GET', `${leasePath()}?watch=1`, user))),
    );
    await eventually(() => watches.every(({ status }) => status === 200), 'the watches');
    for (const { socket } of watches) socket.pause();
    for (let i = 0; i < 20; i++) {
      const body = lease({ annotations: { payload: payload + String(i) } });
      await plinth.send('POST', leasePath(), body);
    }
    const list = await open(head('GET', leasePath(), user));
    list.socket.pause();
    await open('GET /api/v1/name');
    await open(head('POST', leasePath(), user, 100) + '{"metadata"');
    assert.equal(await plinth.stop(), 0);
    for (const client of clients) client.close();
  });
});
