import assert from 'node:assert/strict';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';
import { AuditLog } from './audit-log.ts';

const users = tokenUsers(['alice']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
const SNAPSHOT = '/apis/query.cluster.io/v1/snapshot';
const YAML = { 'content-type': 'application/yaml' };

describe('credentials in the log and the audit log, at their highest levels', () => {
  let log: AuditLog;
  let plinth: Plinth;
  const alice = users.as('alice');
  const own = alice.authorization.slice('Bearer '.length);
  before(async () => {
    log = new AuditLog([{ level: 'RequestResponse' }]);
    plinth = await Plinth.start({ args: [...log.args, ...users.args, '--log-level', 'trace'] });
  });
  after(async () => {
    await plinth.dispose();
    log.dispose();
  });

  let sent = 0;
  const secret = (): string => `SECRET-${++sent}-abcdefgh`;
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => plinth.send(method, path, body, { ...alice, ...headers });

  /** Every way to send a token that there is to get wrong. */
  const ways: Record<string, () => Promise<unknown>> = {
    'a token that is wrong': () => plinth.get(LEASES, { authorization: `Bearer ${secret()}` }),
    'another scheme': () => plinth.get(LEASES, { authorization: `Basic ${secret()}` }),
    'no scheme': () => plinth.get(LEASES, { authorization: secret() }),
    'a cookie': () => send('GET', LEASES, undefined, { cookie: `token=${secret()}` }),
    'a subprotocol of WebSocket': () =>
      send('GET', `${LEASES}?watch=1&timeoutSeconds=1`, undefined, {
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from(secret()).toString('base64url')}`,
      }),
    'impersonated extra': () =>
      send('GET', LEASES, undefined, { ...alice, 'x-remote-extra-token': secret() }),
    'a review': () => send('POST', REVIEWS, { spec: { token: secret() } }),
    'a review by its alias': () =>
      send('POST', REVIEWS.replace('cluster.io', 'k8s.io'), { spec: { token: secret() } }),
    'a review that is not JSON': () => send('POST', REVIEWS, `{"spec": {"token": ${secret()}`),
    'a review whose JSON ends early': () => send('POST', REVIEWS, `{"spec":{"token":"${secret()}`),
    'a review that is not YAML': () => send('POST', REVIEWS, `spec: {token: [${secret()}`, YAML),
    'a review with another kind': () => send('POST', REVIEWS, { kind: secret() }),
    'a review with a token as a field': () =>
      send('POST', `${REVIEWS}?fieldValidation=Strict`, { spec: { [secret()]: 'x' } }),
    'a review with a token of another type': () =>
      send('POST', REVIEWS, { spec: { token: { [secret()]: 1 } } }),
    ...Object.fromEntries(
      [
        ...['access_token', 'ACCESS_TOKEN', 'access%5Ftoken', 'id_token', 'token', 'refresh-token'],
        ...[
          'authorization',
          'Authorization',
          'apikey',
          'password',
          'client_secret',
          'x-auth-token',
        ],
      ].map((name) => [
        `the parameter ${name}`,
        () => send('GET', `${LEASES}?a=b&${name}=Bearer+${secret()}&c=d`),
      ]),
    ),
    'a parameter whose name is encoded': () => send('GET', `${LEASES}?%74oken=${secret()}`),
    'a parameter inside a question': () =>
      send('GET', `${SNAPSHOT}?resources=configmaps%3Ftoken%3D${secret()}`),
    'a bearer inside a question': () =>
      send('GET', `${SNAPSHOT}?resources=configmaps%3Fq%3DBearer%2520${secret()}`),
    'a credential before another': () =>
      send('GET', `${LEASES}?token=${secret()}+Bearer+${secret()}`),
    'a parameter that is not encoded': () => send('GET', `${LEASES}?a=%zz&b=Bearer%0a${secret()}`),
    'a parameter of another name': () => send('GET', `${LEASES}?q=Bearer%20${secret()}`),
    'a parameter without a name': () => send('GET', `${LEASES}?Bearer+${secret()}`),
    'a refused parameter': () => send('GET', `${LEASES}?limit=x&authorization=Bearer+${secret()}`),
    'a path without credentials': () => plinth.get(`/nowhere?token=${secret()}`),
  };

  it('are absent, however they are sent', async () => {
    for (const way of Object.values(ways)) await way();
    await send('GET', LEASES, undefined, { 'audit-id': 'last' });
    await eventually(() => log.text.includes('"auditID":"last"'), 'the last event');
    const written = `${log.text}\n${plinth.output}`;
    const found = written.split('\n').filter((line) => /SECRET-\d/.test(line));
    assert.deepEqual(found, []);
    assert.ok(!written.includes(own), 'the token that was believed');
    assert.match(written, /tokenreviews/);
  });

  it('are absent from metrics and from errors', async () => {
    const { text } = await plinth.get('/metrics', alice);
    assert.doesNotMatch(text, /SECRET-\d/);
    assert.ok(!text.includes(own));
  });
});
