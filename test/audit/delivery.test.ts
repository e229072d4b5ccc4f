import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually, Plinth } from '../support/plinth.ts';
import { TlsServer } from '../support/tls-server.ts';
import { tokenUsers } from '../support/token-users.ts';
import { AuditLog } from './audit-log.ts';

const users = tokenUsers(['alice']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const QUIET = { level: 'None', nonResourceURLs: ['/*'] };

/** A server that takes events, or does not. */
class Collector {
  readonly server: TlsServer;
  readonly bodies: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Called before a batch is taken; what it throws is a refusal. */
  before: () => void | Promise<void> = () => undefined;

  private constructor(server: TlsServer) {
    this.server = server;
  }

  static async start(): Promise<Collector> {
    const server = await TlsServer.start({ handler: () => undefined });
    const collector = new Collector(server);
    server.handler = async (request, response, body) => {
      try {
        await collector.before();
      } catch {
        response.writeHead(503).end();
        return;
      }
      collector.authorizations.push(request.headers.authorization);
      collector.bodies.push(body);
      response.end();
    };
    return collector;
  }

  get events(): any[] {
    return this.bodies.flatMap((body) => JSON.parse(body).items);
  }

  /** A kubeconfig with the token in a file of its own. */
  kubeconfig(directory: string, tokenFile = 'token'): string {
    const file = join(directory, 'webhook.kubeconfig');
    const { url, caBundle } = this.server;
    writeFileSync(
      file,
      stringify({
        clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority-data': caBundle } }],
        users: [{ name: 'a', user: { tokenFile } }],
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        'current-context': 'a',
      }),
    );
    return file;
  }
}

describe('how audit events get where they go', () => {
  let log: AuditLog;
  let plinth: Plinth;
  let collector: Collector | undefined;
  beforeEach(() => {
    log = new AuditLog([QUIET, { level: 'RequestResponse' }], { omitStages: ['RequestReceived'] });
    collector = undefined;
  });
  afterEach(async () => {
    await plinth.dispose();
    await collector?.server.close();
    log.dispose();
  });

  const get = (id: string, path = LEASES) =>
    plinth.get(path, { ...users.as('alice'), 'audit-id': id });
  const start = async (...args: string[]): Promise<void> => {
    plinth = await Plinth.start({ args: [...users.args, ...log.args, ...args] });
  };
  const startWebhook = async (...args: string[]): Promise<Collector> => {
    collector = await Collector.start();
    writeFileSync(join(log.directory, 'token'), 'first-token');
    const file = collector.kubeconfig(log.directory);
    const policy = ['--audit-policy-file', log.policy, '--audit-webhook-config-file', file];
    const wait = ['--audit-webhook-batch-max-wait', '0', '--audit-webhook-initial-backoff', '0'];
    plinth = await Plinth.start({ args: [...users.args, ...policy, ...wait, ...args] });
    return collector;
  };
  const lost = async (plugin: string): Promise<number> => {
    const { text } = await plinth.get('/metrics');
    const line = new RegExp(`^apiserver_audit_error_total{plugin="${plugin}"} (\\d+)`, 'm');
    return Number(line.exec(text)?.[1] ?? 0);
  };

  it('log, blocking by default: what was answered has been written', async () => {
    await start();
    for (let i = 0; i < 50; i++) {
      await get(`answered-${i}`);
      assert.equal(log.of(`answered-${i}`).length, 1);
    }
  });

  it('log, batch: requests do not wait, events go together', async () => {
    await start(...['--audit-log-mode', 'batch', '--audit-log-batch-max-wait', '3600']);
    for (let i = 0; i < 20; i++) await get(`waits-${i}`);
    assert.deepEqual(log.events(), []);
    await plinth.stop();
    assert.equal(log.events().length, 20);
  });

  it('log, batch: events beyond the buffer are dropped and counted', async () => {
    const batch = ['--audit-log-mode', 'batch', '--audit-log-batch-max-wait', '3600'];
    await start(...batch, '--audit-log-batch-buffer-size', '3');
    for (let i = 0; i < 5; i++) await get(`full-${i}`);
    assert.equal(await lost('log'), 2);
    await plinth.stop();
    assert.deepEqual(
      log.events().map(({ auditID }) => auditID),
      ['full-0', 'full-1', 'full-2'],
    );
  });

  for (const [mode, status] of [
    ['blocking', 200],
    ['blocking-strict', 500],
  ] as const) {
    it(`log, ${mode}: a request whose event cannot be written is answered ${status}`, async () => {
      log.writePolicy([QUIET, { level: 'Metadata' }]);
      await start('--audit-log-mode', mode);
      assert.equal((await get('before')).status, 200);
      // A directory in the place of the file: nothing can be added to it.
      rmSync(log.file);
      mkdirSync(log.file);
      const reply = await get('lost');
      assert.equal(reply.status, status, reply.text);
      if (status === 500) assert.match(reply.json.message, /failed to store audit event/);
      assert.ok((await lost('log')) > 0);
      rmdirSync(log.file);
      assert.equal((await get('after')).status, 200);
      assert.equal(log.of('after').length, 2);
    });
  }

  it('a log that cannot be written to is found at the start', async () => {
    mkdirSync(log.file);
    await assert.rejects(start(), /ended with 2.*--audit-log-path/s);
    rmdirSync(log.file);
    await start('--audit-log-path', join(log.directory, 'new', 'audit.log'));
  });

  it('truncated events lose their objects and say so; events that are still too long are dropped', async () => {
    const flags = ['--audit-log-truncate-max-event-size', '1500'];
    await start('--audit-log-truncate-enabled', 'true', ...flags);
    const create = (name: string, length: number) =>
      plinth.send(
        'POST',
        `${LEASES}?pretty=false`,
        { metadata: { name, annotations: { a: 'x'.repeat(length) } } },
        { ...users.as('alice'), 'audit-id': name },
      );
    await create('small', 1);
    await create('large', 1500);
    const [small] = log.of('small');
    assert.equal(small.responseObject.metadata.name, 'small');
    assert.equal(small.annotations['audit.k8s.io/truncated'], undefined);
    const [large] = log.of('large');
    assert.equal(large.level, 'RequestResponse');
    assert.deepEqual([large.requestObject, large.responseObject], [undefined, undefined]);
    assert.equal(large.annotations['audit.k8s.io/truncated'], 'true');
    assert.equal(large.objectRef.name, 'large');
    await get('query', `${LEASES}?labelSelector=${'x'.repeat(1500)}`);
    assert.deepEqual(log.of('query'), []);
    assert.equal(await lost('log'), 1);
  });

  it('without truncation an event may be as long as it is', async () => {
    await start();
    await get('query', `${LEASES}?labelSelector=${'x'.repeat(20_000)}`);
    assert.equal(log.of('query').length, 1);
  });

  it('webhook, batch by default: a request does not wait for it', async () => {
    const hook = await startWebhook();
    let release = (): void => undefined;
    hook.before = () => new Promise((resolve) => (release = resolve));
    assert.equal((await get('free')).status, 200);
    await eventually(() => hook.server.requests.length > 0, 'the batch');
    assert.equal(hook.events.length, 0);
    release();
    await eventually(() => hook.events.length > 0, 'the event');
  });

  it('webhook, blocking: an answer comes when the webhook has the event', async () => {
    const hook = await startWebhook('--audit-webhook-mode', 'blocking');
    let release = (): void => undefined;
    hook.before = () => new Promise((resolve) => (release = resolve));
    let isAnswered = false;
    const reply = get('waits').then(() => (isAnswered = true));
    await eventually(() => hook.server.requests.length > 0, 'the event');
    assert.equal(isAnswered, false);
    release();
    await reply;
    assert.equal(hook.events[0].auditID, 'waits');
  });

  it('webhook, blocking-strict: no request begins that it does not know of', async () => {
    log.writePolicy([QUIET, { level: 'Metadata' }]);
    const hook = await startWebhook('--audit-webhook-mode', 'blocking-strict');
    hook.before = () => Promise.reject(new Error('no'));
    const reply = await plinth.send(
      ...(['POST', LEASES, { metadata: { name: 'never' } }, users.as('alice')] as const),
    );
    assert.equal(reply.status, 500);
    hook.before = () => undefined;
    assert.equal((await get('there', `${LEASES}/never`)).status, 404);
  });

  it('a batch keeps its maximum length', async () => {
    const size = ['--audit-webhook-truncate-max-batch-size', '5000'];
    const hook = await startWebhook(...size, '--audit-webhook-batch-max-wait', '1');
    await Promise.all(Array.from({ length: 40 }, (_, i) => get(`batch-${i}`)));
    await eventually(() => hook.events.length === 40, 'all events');
    assert.ok(hook.bodies.length > 1);
    assert.ok(hook.bodies.some((body) => JSON.parse(body).items.length > 1));
    for (const body of hook.bodies) assert.ok(body.length < 5200, String(body.length));
  });

  it('the kubeconfig is read again when it changes, and so is what it names', async () => {
    const hook = await startWebhook();
    await get('one');
    await eventually(() => hook.events.length === 1, 'the first event');
    assert.deepEqual(hook.authorizations, ['Bearer first-token']);
    const shows = async (token: string): Promise<void> => {
      await eventually(async () => {
        await get('again');
        return hook.authorizations.at(-1) === `Bearer ${token}`;
      }, token);
    };
    writeFileSync(join(log.directory, 'token'), 'second-token');
    await shows('second-token');
    writeFileSync(join(log.directory, 'other'), 'third-token');
    hook.kubeconfig(log.directory, 'other');
    await shows('third-token');
    writeFileSync(join(log.directory, 'other'), 'fourth-token');
    await shows('fourth-token');
    const elsewhere = await Collector.start();
    writeFileSync(join(log.directory, 'webhook.kubeconfig'), 'nonsense: []');
    await eventually(() => plinth.output.includes('cannot be used'), 'the complaint');
    await shows('fourth-token');
    elsewhere.kubeconfig(log.directory, 'other');
    await eventually(async () => {
      await get('moved');
      return elsewhere.events.length > 0;
    }, 'events at the other server');
    await elsewhere.server.close();
  });
});
