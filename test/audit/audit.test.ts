import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { makeAuthority, makeServingCertificate } from '../../access/pki/certificates.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['alice', 'bob']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const dir = mkdtempSync(join(tmpdir(), 'plinth-audit-'));
const log = join(dir, 'audit.log');
const policyFile = join(dir, 'policy.yaml');

function writePolicy(rules: unknown[], more: object = {}): void {
  writeFileSync(
    policyFile,
    stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more }),
  );
}

function events(file = log): any[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const RULES = [
  { level: 'None', nonResourceURLs: ['/healthz*', '/readyz*', '/livez*', '/metrics'] },
  {
    level: 'RequestResponse',
    verbs: ['create'],
    resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }],
  },
  { level: 'Request', verbs: ['patch'] },
  { level: 'None', verbs: ['list'], users: ['bob'] },
  { level: 'Metadata', omitStages: ['RequestReceived'] },
];

describe('the audit log', () => {
  let plinth: Plinth;
  let webhook: Server;
  const lists: any[] = [];
  before(async () => {
    const now = Date.now();
    const authority = await makeAuthority('audit', now);
    const serving = await makeServingCertificate(authority, ['localhost'], now);
    webhook = createServer({ cert: serving.certificate, key: serving.key }, (req, res) => {
      let text = '';
      req.on('data', (piece: Buffer) => (text += piece.toString()));
      req.on('end', () => {
        assert.equal(req.headers.authorization, 'Bearer token-for-the-webhook');
        // The first one is refused: the batch comes again.
        res.statusCode = lists.length === 0 ? 503 : 200;
        lists.push(JSON.parse(text));
        res.end();
      });
    });
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
    const kubeconfig = join(dir, 'webhook.kubeconfig');
    writeFileSync(
      kubeconfig,
      stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        users: [{ name: 'a', user: { token: 'token-for-the-webhook' } }],
        clusters: [
          {
            name: 'a',
            cluster: {
              server: `https://localhost:${(webhook.address() as AddressInfo).port}/audit`,
              'certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
            },
          },
        ],
      }),
    );
    writePolicy(RULES, { omitManagedFields: true });
    plinth = await Plinth.start({
      args: [
        ...users.args,
        ...['--audit-policy-file', policyFile, '--audit-log-path', log],
        ...['--audit-webhook-config-file', kubeconfig, '--audit-webhook-batch-max-wait', '1'],
        ...['--audit-webhook-initial-backoff', '1', '--log-level', 'trace'],
      ],
    });
  });
  after(async () => {
    await plinth.dispose();
    webhook.closeAllConnections();
    webhook.close();
  });

  async function eventsOf(auditID: string, count: number): Promise<any[]> {
    const found = () => events().filter((event) => event.auditID === auditID);
    await eventually(() => found().length >= count, `${count} events of ${auditID}`);
    return found();
  }

  it('RequestResponse: what was sent and answered, in two stages, with who and why', async () => {
    const body = { metadata: { name: 'one' }, spec: { holderIdentity: 'me' } };
    const headers = { ...users.as('alice'), 'audit-id': 'create-one', 'user-agent': 'test/1' };
    const reply = await plinth.send('POST', LEASES, body, headers);
    assert.equal(reply.status, 201);
    const [received, complete] = await eventsOf('create-one', 2);
    assert.equal(received.stage, 'RequestReceived');
    assert.equal(received.responseStatus, undefined);
    assert.equal(complete.stage, 'ResponseComplete');
    assert.equal(complete.level, 'RequestResponse');
    assert.equal(complete.kind, 'Event');
    assert.equal(complete.apiVersion, 'audit.k8s.io/v1');
    assert.equal(complete.verb, 'create');
    assert.equal(complete.requestURI, LEASES);
    assert.equal(complete.user.username, 'alice');
    assert.ok(complete.user.groups.includes('system:authenticated'));
    assert.deepEqual(complete.sourceIPs, ['127.0.0.1']);
    assert.equal(complete.userAgent, 'test/1');
    assert.equal(complete.objectRef.resource, 'leases');
    assert.equal(complete.objectRef.namespace, 'default');
    assert.equal(complete.responseStatus.code, 201);
    assert.deepEqual(complete.requestObject, body);
    assert.equal(complete.responseObject.metadata.uid, reply.json.metadata.uid);
    assert.equal(complete.responseObject.metadata.managedFields, undefined);
    assert.equal(complete.annotations['authorization.k8s.io/decision'], 'allow');
    assert.match(complete.stageTimestamp, /^\d{4}-.*\.\d{6}Z$/);
  });

  it('Metadata: never a body; the first matching rule decides; stages are left out', async () => {
    await plinth.get(`${LEASES}/one`, { ...users.as('alice'), 'audit-id': 'get-one' });
    await plinth.get(LEASES, { ...users.as('bob'), 'audit-id': 'list-bob' });
    await plinth.get(LEASES, { ...users.as('alice'), 'audit-id': 'list-alice' });
    await eventsOf('list-alice', 1);
    const [got, ...rest] = await eventsOf('get-one', 1);
    assert.deepEqual(rest, []);
    assert.equal(got.level, 'Metadata');
    assert.equal(got.objectRef.name, 'one');
    assert.equal(got.requestObject, undefined);
    assert.equal(got.responseObject, undefined);
    assert.deepEqual(
      events().filter((event) => event.auditID === 'list-bob'),
      [],
    );
  });

  it('Request: the patch, not the answer', async () => {
    const patch = { spec: { leaseDurationSeconds: 7 } };
    const headers = { ...users.as('alice'), 'audit-id': 'patch-one' };
    const type = { 'content-type': 'application/merge-patch+json' };
    const reply = await plinth.send('PATCH', `${LEASES}/one`, patch, { ...headers, ...type });
    assert.equal(reply.status, 200);
    const [, complete] = await eventsOf('patch-one', 2);
    assert.deepEqual(complete.requestObject, patch);
    assert.equal(complete.responseObject, undefined);
  });

  it('refusals and failed authentications carry their reason', async () => {
    await plinth.send('POST', LEASES, '{', { ...users.as('alice'), 'audit-id': 'bad-body' });
    const [, refused] = await eventsOf('bad-body', 2);
    assert.equal(refused.responseStatus.code, 400);
    assert.equal(refused.responseStatus.reason, 'BadRequest');
    assert.equal(refused.responseStatus.status, 'Failure');
    const wrong = { authorization: 'Bearer wrong-token-0123456789', 'audit-id': 'stranger' };
    assert.equal((await plinth.get(LEASES, wrong)).status, 401);
    const [stranger] = await eventsOf('stranger', 1);
    assert.equal(stranger.responseStatus.code, 401);
    assert.deepEqual(stranger.user, {});
  });

  it('both are named when one user acts for another', async () => {
    const as = { 'impersonate-user': 'carol', 'audit-id': 'as-carol' };
    await plinth.get(`${LEASES}/one`, { ...users.as('alice'), ...as });
    const [event] = await eventsOf('as-carol', 1);
    assert.equal(event.user.username, 'alice');
    assert.equal(event.impersonatedUser.username, 'carol');
  });

  it('a watch is written when it begins and when it ends', async () => {
    const path = `${LEASES}?watch=1&timeoutSeconds=1`;
    await plinth.get(path, { ...users.as('alice'), 'audit-id': 'watch' });
    const stages = (await eventsOf('watch', 2)).map((event) => event.stage);
    assert.deepEqual(stages, ['ResponseStarted', 'ResponseComplete']);
  });

  it('CVE-2019-11250, CVE-2020-8565: no credential in any log, at the highest verbosity', async () => {
    const query = `${LEASES}?access_token=secret-in-the-query`;
    await plinth.get(query, { ...users.as('alice'), 'audit-id': 'query' });
    await plinth.send(
      'POST',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { spec: { token: 'secret-in-a-review' } },
      { ...users.as('alice'), 'audit-id': 'review' },
    );
    await eventsOf('query', 1);
    await eventsOf('review', 1);
    const written = readFileSync(log, 'utf8') + plinth.output + JSON.stringify(lists);
    for (const secret of [
      users.as('alice').authorization,
      users.as('alice').authorization.slice('Bearer '.length),
      'wrong-token-0123456789',
      'secret-in-the-query',
      'secret-in-a-review',
      'token-for-the-webhook',
    ]) {
      assert.ok(!written.includes(secret), secret);
    }
  });

  it('the webhook gets every event, in batches, again when it failed', async () => {
    const sent = () =>
      new Set(lists.slice(1).flatMap(({ items }) => items.map((e: any) => e.auditID)));
    await eventually(() => sent().has('create-one') && sent().has('watch'), 'the events');
    assert.equal(lists[0].kind, 'EventList');
    assert.deepEqual(lists[1].items, lists[0].items, 'the batch that was refused');
  });

  it('another policy is used without a restart, a wrong one is not', async () => {
    writePolicy([{ level: 'Nonsense' }]);
    await eventually(() => plinth.output.includes('rules[0].level'), 'the complaint');
    writePolicy([{ level: 'Request' }]);
    await eventually(async () => {
      await plinth.get('/version', { ...users.as('alice'), 'audit-id': 'reloaded' });
      return events().some((e) => e.auditID === 'reloaded' && e.level === 'Request');
    }, 'the new level');
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_audit_event_total [1-9]\d/);
  });

  it('all events are on disk after the server has stopped', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        plinth.get('/version', { ...users.as('alice'), 'audit-id': `last-${i}` }),
      ),
    );
    await plinth.stop();
    const last = events().filter(
      (e) => e.auditID.startsWith('last-') && e.stage !== 'RequestReceived',
    );
    assert.equal(last.length, 50);
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.startsWith('audit-')),
      [],
    );
  });
});
