import assert from 'node:assert/strict';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { eventually } from '../test/support/plinth.ts';
import { head, RawClient } from '../test/support/raw-client.ts';
import { systemClock } from '../api/clock.ts';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { expressApplication } from './express-adapter.ts';
import { createHttpsServer, listen } from './https-server.ts';
import type { ApiRequest, ApiResponse, ResponseBody } from './message.ts';
import { TlsContexts } from './tls-contexts.ts';

const LONG = 3_600_000;
const MAX_UNANSWERED = 8;
const PIPELINED_PER_TURN = 32;
const CONNECTIONS = 20;

describe('pipelined requests', () => {
  let server: Server;
  let url: string;
  let client: RawClient;
  let begun: string[] = [];
  let finish: (() => void)[] = [];
  let bodyOf: (path: string) => ResponseBody;
  let onBegin: () => void = () => undefined;
  let goOn: NodeJS.Timeout | undefined;
  /** Of the server's side, in the order in which they came. */
  const sockets: Socket[] = [];

  async function handle({ rawPath }: ApiRequest): Promise<ApiResponse> {
    begun.push(rawPath);
    onBegin();
    if (rawPath !== '/other') await new Promise<void>((resolve) => finish.push(resolve));
    const body = bodyOf(rawPath);
    const length: Record<string, string> = Buffer.isBuffer(body)
      ? { 'content-length': String(body.length) }
      : {};
    return { status: 200, headers: length, body };
  }

  before(async () => {
    const authority = await makeAuthority('ca', Date.now());
    const serving = await makeServingCertificate(authority, ['127.0.0.1'], Date.now());
    const parts = { clientAuthorities: [], ciphers: [], named: [] };
    const tls = new TlsContexts({ ...serving, ...parts, minVersion: 'TLSv1.2' });
    server = createHttpsServer(
      {
        ...{ tls, requestTimeoutMs: LONG, clock: systemClock },
        ...{ onHandshakeError: () => undefined, onProblem: () => undefined },
      },
      expressApplication(handle, (error) => assert.ifError(error)),
    );
    server.on('secureConnection', (socket: Socket) => sockets.push(socket));
    url = `https://127.0.0.1:${(await listen(server, '127.0.0.1', 0)).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    bodyOf = (path) => Buffer.from(path);
    onBegin = () => undefined;
    begun = [];
    finish = [];
    sockets.length = 0;
    client = await RawClient.open(url);
  });
  afterEach(() => {
    clearInterval(goOn);
    client.close();
  });

  /** A request of another connection goes its whole way: the loop has had its turns. */
  async function turns(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const other = await RawClient.open(url);
      other.send(head('GET', '/other', {}));
      await eventually(() => other.received.endsWith('/other'), 'the other answer');
      other.close();
    }
    begun = begun.filter((path) => path !== '/other');
  }

  const pathsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`);
  const textOf = (paths: string[]): string => paths.map((path) => head('GET', path, {})).join('');

  it('at most eight are processed at a time, reading pauses, and all are answered', async () => {
    const paths = pathsOf(6_000);
    const text = textOf(paths);
    client.send(text);
    await eventually(() => begun.length === MAX_UNANSWERED, 'the first ones');
    await turns();
    assert.equal(begun.length, MAX_UNANSWERED);
    const { bytesRead } = sockets[0]!;
    assert.ok(bytesRead < text.length / 2, `${bytesRead} of ${text.length} bytes`);
    finish.shift()?.();
    await eventually(() => begun.length === MAX_UNANSWERED + 1, 'one more, after one answer');
    await turns();
    assert.equal(begun.length, MAX_UNANSWERED + 1);
    goOn = setInterval(() => finish.splice(0).forEach((done) => done()), 0);
    await eventually(() => client.received.endsWith('/5999'), 'the last answer');
    assert.deepEqual(client.received.match(/(?<=\r\n\r\n)\/\d+/g), paths);
  });

  it('a client is asked for a body when its turn comes, never inside an answer', async () => {
    const waiting = { expect: '100-continue' };
    client.send(head('POST', '/0', waiting) + head('POST', '/1', waiting));
    client.send(head('POST', '/other', waiting));
    await eventually(() => begun.length === 3, 'all have begun');
    const asked = /HTTP\/1\.1 100 Continue\r\n\r\n/;
    await eventually(() => asked.test(client.received), 'the first one is asked at once');
    await turns();
    assert.doesNotMatch(client.received.replace(asked, ''), /HTTP/);
    finish.shift()?.();
    await eventually(
      () => /\/0HTTP\/1\.1 100 Continue\r\n\r\n$/.test(client.received),
      'the second',
    );
    finish.shift()?.();
    // It was answered before its turn: there is nothing to ask for.
    await eventually(() => client.received.endsWith('/other'), 'the last answer');
    const parts = client.received
      .split(/HTTP\/1\.1 /)
      .map((part) => part.replace(/\r\n.*\r\n\r\n/s, ' '));
    assert.deepEqual(parts, [
      '',
      '100 Continue\r\n\r\n',
      '200 OK /0',
      '100 Continue\r\n\r\n',
      '200 OK /1',
      '200 OK /other',
    ]);
  });

  it('a request for another protocol waits for the answers before it', async () => {
    const large = 'x'.repeat(4 * 1024 * 1024);
    bodyOf = (path) => Buffer.from(path === '/1' ? large : path);
    const upgrade = head('GET', '/2', { connection: 'upgrade', upgrade: 'websocket' });
    client.send(head('GET', '/0', {}) + head('GET', '/1', {}) + upgrade);
    await eventually(() => begun.length === 2, 'those before it');
    await turns();
    assert.deepEqual(begun, ['/0', '/1']);
    finish.splice(0).forEach((done) => done());
    await eventually(() => begun.length === 3, 'its turn');
    finish.shift()?.();
    await eventually(() => client.ended !== undefined, 'it is refused, and the connection ends');
    const bodies = client.received.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s);
    assert.deepEqual(bodies, ['', '/0', large, '/2']);
  });

  it('a client that goes takes its waiting request for another protocol with it', async () => {
    const upgrade = head('GET', '/1', { connection: 'upgrade', upgrade: 'websocket' });
    client.send(head('GET', '/0', {}) + upgrade);
    await eventually(() => begun.length === 1, 'the one before it');
    client.socket.end();
    await eventually(() => sockets[0]?.destroyed === true, 'the end of the connection');
    finish.shift()?.();
    await turns();
    assert.deepEqual(begun, ['/0']);
  });

  it('a request for another protocol does not begin behind the last answer of its connection', async () => {
    const upgrade = head('GET', '/1', { connection: 'upgrade', upgrade: 'websocket' });
    const last = head('POST', '/other', { expect: '100-continue' });
    client.send(head('GET', '/0', {}) + last + upgrade);
    await eventually(() => begun.length === 2, 'those before it');
    finish.shift()?.();
    await eventually(() => client.ended !== undefined, 'the end of the connection');
    await turns();
    assert.deepEqual(begun, ['/0']);
    assert.match(client.received, /connection: close\r\n.*\/other$/is);
  });

  it('a client that reads no answers is read no further', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024);
    bodyOf = (path) => (path === '/other' ? Buffer.from(path) : large);
    client.socket.pause();
    client.send(textOf(pathsOf(100)));
    goOn = setInterval(() => finish.splice(0).forEach((done) => done()), 0);
    await eventually(() => begun.length >= MAX_UNANSWERED, 'the first ones');
    await turns();
    assert.ok(begun.length <= MAX_UNANSWERED + 1, `${begun.length} are worked on`);
  });

  it('a stream that waits behind another answer ends with its connection', async () => {
    let closed = 0;
    const close = (): void => {
      closed++;
    };
    bodyOf = (path) =>
      path === '/other' ? Buffer.from(path) : { start: () => ({ resume: () => undefined, close }) };
    client.send(textOf(pathsOf(3)));
    await eventually(() => begun.length === 3, 'all have begun');
    finish.forEach((done) => done());
    await turns();
    assert.equal(closed, 0);
    client.close();
    await eventually(() => closed === 3, 'all streams are closed');
  });

  it('of many connections begin a few in each turn, and all are answered', async () => {
    let [turn, most] = [0, 0];
    onBegin = () => {
      if (turn === 0) setImmediate(() => (turn = 0));
      most = Math.max(most, ++turn);
    };
    const clients: RawClient[] = [];
    for (let i = 0; i < CONNECTIONS; i++) clients.push(await RawClient.open(url));
    const requests = head('GET', '/other', {}).repeat(MAX_UNANSWERED);
    for (const each of clients) each.send(requests);
    const isAnswered = ({ received }: RawClient): boolean =>
      received.split('/other').length - 1 === MAX_UNANSWERED;
    await eventually(() => clients.every(isAnswered), 'all answers');
    for (const each of clients) each.close();
    // the first one of each connection, and those behind; two turns may count as one here
    const bound = CONNECTIONS + 2 * PIPELINED_PER_TURN;
    assert.ok(most <= bound, `${most} began in one turn`);
  });
});
