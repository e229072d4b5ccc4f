import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';
import { connect } from 'node:net';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

/*
 * Slow loris and its kin: clients that hold what they have by being slow
 * (CVE-2018-12122 of Node, GHSA-6vch-q96h-7gc3 of etcd, and their class).
 */
const users = tokenUsers(['user']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

/** Without the bound of two seconds, the next one of the server comes after half a minute. */
const CUT_MS = 25_000;

describe('slow clients', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: [...users.args, '--request-timeout', '2'] });
  });
  after(() => plinth.dispose());

  let client: RawClient;
  let timer: NodeJS.Timeout | undefined;
  afterEach(() => {
    clearInterval(timer);
    client.close();
  });

  /** Sends one byte now and then, as long as it is let. */
  function dribble(byte: string): void {
    timer = setInterval(() => client.send(byte), 100);
  }

  it('slow headers: the connection closes', async () => {
    client = await RawClient.open(plinth.url);
    client.send('GET /version HTTP/1.1\r\nx-slow: ');
    dribble('a');
    await eventually(() => client.ended !== undefined, 'the end', CUT_MS);
    assert.equal(client.status, 408);
  });

  it('no request at all: the connection ends', async () => {
    client = await RawClient.open(plinth.url);
    await eventually(() => client.ended !== undefined, 'the end', CUT_MS);
  });

  it('a slow body: 504 at the deadline, and the connection closes', async () => {
    client = await RawClient.open(plinth.url);
    client.send(head('POST', LEASES, users.as('user'), 10_000));
    dribble(' ');
    await eventually(() => client.ended !== undefined, 'the end', CUT_MS);
    assert.ok(client.status === 504 || client.status === 408, client.received);
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_request_terminations_total{verb="POST",.*code="504"} 1/);
  });

  it('a handshake that never comes: the connection ends, and is counted', async () => {
    const { hostname, port } = new URL(plinth.url);
    const socket = connect(Number(port), hostname);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write('this is not TLS\r\n\r\n');
    await ended;
    const { text } = await plinth.get('/metrics');
    assert.match(text, /apiserver_tls_handshake_errors_total [1-9]/);
  });

  it('a watch is not cut off, however long it is silent', async () => {
    client = await RawClient.open(plinth.url);
    const from = performance.now();
    client.send(head('GET', `${LEASES}?watch=1&timeoutSeconds=6`, users.as('user')));
    await eventually(() => client.received.endsWith('0\r\n\r\n'), 'the end of the watch');
    assert.ok(performance.now() - from > 5_000);
    client.close();
  });

  it('a client that goes away is not logged as an error', async () => {
    client = await RawClient.open(plinth.url);
    client.send(head('POST', LEASES, users.as('user'), 100));
    const inFlight = /^apiserver_current_inflight_requests{request_kind="mutating"} 1$/m;
    await eventually(
      async () => inFlight.test((await plinth.get('/metrics')).text),
      'that the request has begun',
    );
    client.close();
    await eventually(
      async () =>
        /apiserver_request_aborts_total{[^\n]*POST/.test((await plinth.get('/metrics')).text),
      'the count',
    );
    assert.doesNotMatch(plinth.output, /"level":50.*gone/);
  });
});
