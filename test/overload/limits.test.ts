import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['noisy', 'quiet']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = (name: string) => ({ metadata: { name } });

/** Requests of a user that go on for as long as a test wants: their bodies do not come. */
async function hanging(plinth: Plinth, user: string, n: number): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: n }, () => RawClient.open(plinth.url)));
  for (const client of clients) client.send(head('POST', LEASES, users.as(user), 100));
  return clients;
}

async function inflight(plinth: Plinth, kind: string): Promise<number> {
  const { text } = await plinth.get('/metrics');
  return Number(
    new RegExp(`^apiserver_current_inflight_requests{request_kind="${kind}"} (\\d+)`, 'm').exec(
      text,
    )?.[1],
  );
}

describe('limits of requests at a time', function () {
  let plinth: Plinth;
  let clients: RawClient[] = [];
  afterEach(async () => {
    for (const client of clients) client.close();
    clients = [];
    await plinth.dispose();
  });

  it('a user whose requests hang never takes all seats', async () => {
    plinth = await Plinth.start({ args: [...users.args, '--max-mutating-requests-inflight', '4'] });
    clients = await hanging(plinth, 'noisy', 40);
    await eventually(async () => (await inflight(plinth, 'mutating')) >= 40, 'all have arrived');
    const reply = await plinth.send('POST', LEASES, lease('a'), users.as('quiet'));
    assert.equal(reply.status, 201);
  });

  it('a request without a free seat waits until one is released', async () => {
    plinth = await Plinth.start({ args: [...users.args, '--max-mutating-requests-inflight', '1'] });
    clients = await hanging(plinth, 'noisy', 1);
    await eventually(async () => (await inflight(plinth, 'mutating')) >= 1, 'it has arrived');
    let answered = false;
    const waits = plinth.send('POST', LEASES, lease('b'), users.as('quiet'));
    void waits.then(() => (answered = true));
    await plinth.get(LEASES, users.as('quiet')); // reading has seats of its own
    assert.equal(answered, false);
    clients[0]!.close();
    assert.equal((await waits).status, 201);
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_flowcontrol_request_wait_duration_seconds_count{[^}]*mutating/);
  });

  it('without queues too many are answered 429, superusers and probes never', async () => {
    plinth = await Plinth.start({
      args: [
        ...users.args,
        ...['--max-mutating-requests-inflight', '2', '--enable-priority-and-fairness', 'false'],
      ],
    });
    clients = await hanging(plinth, 'noisy', 2);
    await eventually(async () => (await inflight(plinth, 'mutating')) >= 2, 'both have arrived');
    const refused = await plinth.send('POST', LEASES, lease('c'), users.as('quiet'));
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '1');
    assert.deepEqual(refused.json, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Too many requests, please try again later.',
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
      code: 429,
    });
    assert.equal((await plinth.send('POST', LEASES, lease('d'))).status, 201);
    assert.equal((await plinth.get('/livez', users.as('quiet'))).status, 200);
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_request_terminations_total{verb="POST",.*code="429"} 1/);
    assert.match(text, /apiserver_flowcontrol_rejected_requests_total{.*mutating.*} 1/);
  });

  it('watches have a limit of their own, of which one user gets three quarters', async () => {
    plinth = await Plinth.start({ args: [...users.args, '--max-long-running-requests', '4'] });
    const watchAs = async (user: string): Promise<number | undefined> => {
      const client = await RawClient.open(plinth.url);
      clients.push(client);
      client.send(head('GET', `${LEASES}?watch=1`, users.as(user)));
      await eventually(() => client.status !== undefined, 'an answer');
      return client.status;
    };
    const codes = [];
    for (const user of ['noisy', 'noisy', 'noisy', 'noisy', 'quiet', 'quiet']) {
      codes.push(await watchAs(user));
    }
    assert.deepEqual(codes, [200, 200, 200, 429, 200, 429]);
    clients[0]!.close();
    await eventually(async () => (await watchAs('quiet')) === 200, 'room after one has ended');
  });
});
