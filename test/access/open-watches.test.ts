import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { stringify } from 'yaml';
import {
  makeAuthority,
  makeClientCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { remainingValidity } from '../../access/pki/validity.ts';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, type Plinth } from '../support/plinth.ts';
import { Issuer } from './issuer.ts';
import { People, rule, tokenOf } from './people.ts';
import { Reviewer } from './reviewer.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const BINDINGS = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/rolebindings';
const CLUSTER_BINDINGS = '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings';
const GAUGES = `/apis/${EXTENSION_GROUP}/v1/namespaces/default/gauges`;
const WEB_SOCKET = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
/** A credential that ends lives so long after it is made. */
const SHORT_MS = 8_000;

/** One request on a connection of its own, and what came back. */
class Stream {
  readonly socket: TLSSocket;
  text = '';
  isOver = false;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (this.text += text));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isOver = true));
  }

  /** Resolves when the server has begun to answer as it should. */
  static async open(
    plinth: Plinth,
    path: string,
    headers: Record<string, string>,
    pair?: KeyPair,
  ): Promise<Stream> {
    const port = Number(new URL(plinth.url).port);
    const own = pair === undefined ? {} : { cert: pair.certificate, key: pair.key };
    const stream = new Stream(
      connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...own }),
    );
    const lines = Object.entries({ host: 'plinth', ...headers }).map(([n, v]) => `${n}: ${v}\r\n`);
    stream.socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await eventually(() => stream.text.includes('\r\n\r\n') || stream.isOver, 'an answer');
    assert.match(stream.text, /^HTTP\/1\.1 (?:200|101) /);
    return stream;
  }

  /** Waits for its end, which comes after an ERROR event of this code. */
  async endsWith(code: number): Promise<void> {
    await this.ends();
    assert.match(
      this.text,
      new RegExp(`"type":"ERROR","object":\\{"kind":"Status".*"code":${code}`),
    );
  }

  /** An answer that is over leaves its connection to the next request. */
  async ends(): Promise<void> {
    await eventually(() => this.isOver || this.text.endsWith('\r\n0\r\n\r\n'), 'the end');
  }

  get isOpen(): boolean {
    return !this.isOver && !this.text.includes('"ERROR"');
  }
}

describe('open watches', () => {
  let directory: string;
  let people: People;
  let plinth: Plinth;
  let issuer: Issuer;
  let reviewer: Reviewer;
  let extension: ExtensionServer;
  let clients: KeyPair;
  const at = (name: string): string => join(directory, name);
  const streams: Stream[] = [];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-open-watches-'));
    issuer = await Issuer.start();
    reviewer = await Reviewer.start();
    clients = await makeAuthority('clients', Date.now());
    writeFileSync(at('clients.crt'), clients.certificate);
    writeEndpoints(at('endpoints'), {});
    const jwt = {
      issuer: { url: issuer.url, audiences: ['plinth'], certificateAuthority: issuer.authority },
      claimMappings: { username: { claim: 'sub', prefix: '' } },
    };
    writeFileSync(
      at('authentication.yaml'),
      stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [jwt],
      }),
    );
    people = await People.start(
      { ann: [], bob: [], boss: [], steady: [] },
      {
        args: [
          ...['--stream-recheck-period', '1', '--client-ca-file', at('clients.crt')],
          ...['--authentication-config', at('authentication.yaml')],
          ...['--authentication-token-webhook-config-file', reviewer.kubeconfig(directory)],
          ...['--authentication-token-webhook-cache-ttl', '1'],
          ...['--service-endpoints-file', at('endpoints')],
        ],
      },
    );
    plinth = people.plinth;
    extension = await ExtensionServer.start(plinth.dataDir);
    writeEndpoints(at('endpoints'), { metrics: extension.port });
    await people.make('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
    await people.clusterRole('see', [
      rule('get list watch', 'coordination.cluster.io', 'leases'),
      rule('get watch', EXTENSION_GROUP, 'gauges gauges/exec'),
    ]);
    await people.clusterRole('be-bob', [rule('impersonate', '', 'users', 'bob')]);
    for (const user of ['ann', 'bob', 'steady', 'jane', 'clara', 'dora']) {
      await people.grant(user, 'see', 'default');
    }
    await people.grant('boss', 'be-bob');
  });
  afterEach(() => {
    for (const { socket } of streams.splice(0)) socket.destroy();
  });
  after(async () => {
    await people.dispose();
    await extension.close();
    await reviewer.server.close();
    await issuer.close();
    rmSync(directory, { recursive: true });
  });

  const open = async (
    credential: { token?: string; pair?: KeyPair },
    path = `${LEASES}?watch=1&timeoutSeconds=600`,
    headers: Record<string, string> = {},
  ): Promise<Stream> => {
    const { token, pair } = credential;
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const stream = await Stream.open(plinth, path, { ...authorization, ...headers }, pair);
    streams.push(stream);
    return stream;
  };
  const as = (user: string): { token: string } => ({ token: tokenOf(user) });
  const client = (from = Date.now()): Promise<KeyPair> =>
    makeClientCertificate(clients, 'clara', [], from);

  it('end with a 403 when the binding is removed, and no others do', async () => {
    const steady = await open(as('steady'));
    const [http, webSocket] = [await open(as('ann')), await open(as('ann'), undefined, WEB_SOCKET)];
    await people.make('DELETE', `${BINDINGS}/ann:see`);
    await http.endsWith(403);
    assert.match(http.text, /User \\"ann\\" cannot watch resource \\"leases\\"/);
    await webSocket.endsWith(403);
    assert.ok(webSocket.text.endsWith('\x88\x02\x03\xe8'), 'a WebSocket is closed as it should be');
    assert.ok(steady.isOpen);
    await people.grant('ann', 'see', 'default');
  });

  it('of a group that another server answers for end as well, and upgraded connections', async () => {
    let [event, upgraded] = ['{"type":"ADDED","object":{}}\n', 0];
    extension.handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(event);
      response.once('close', () => (event = 'closed'));
    };
    extension.server.server.on('upgrade', (_, socket: Socket) => {
      upgraded++;
      socket.on('error', () => undefined);
      socket.on('close', () => upgraded--);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    const watch = await open(as('ann'), `${GAUGES}?watch=1`);
    const exec = await open(as('ann'), `${GAUGES}/a/exec`, { connection: 'Upgrade', upgrade: 'x' });
    assert.equal(upgraded, 1);
    await people.make('DELETE', `${BINDINGS}/ann:see`);
    await watch.endsWith(403);
    await exec.ends();
    await eventually(() => event === 'closed' && upgraded === 0, 'the end at the other server');
    await people.grant('ann', 'see', 'default');
  });

  it('as another user end with a 403 when the right to impersonate is removed', async () => {
    const impersonate = { 'impersonate-user': 'bob' };
    const stream = await open(as('boss'), undefined, impersonate);
    const own = await open(as('bob'));
    await people.make('DELETE', `${CLUSTER_BINDINGS}/boss:be-bob`);
    await stream.endsWith(403);
    assert.match(stream.text, /User \\"boss\\" cannot impersonate-on:user-info:watch/);
    assert.ok(own.isOpen);
    await people.grant('boss', 'be-bob');
    const second = await open(as('boss'), undefined, impersonate);
    await people.make('DELETE', `${BINDINGS}/bob:see`);
    await second.endsWith(403);
    await own.endsWith(403);
  });

  it('end with a 401 when the token or certificate expires', async () => {
    const steady = await open(as('steady'));
    const end = Date.now() + SHORT_MS;
    const lifetime = remainingValidity((await client(0)).certificate, 0);
    const token = await issuer.token({ sub: 'jane', exp: Math.ceil(end / 1000) });
    const [byToken, bySocket, byCertificate] = [
      await open({ token }),
      await open({ token }, undefined, WEB_SOCKET),
      await open({ pair: await client(end - lifetime) }),
    ];
    for (const stream of [byToken, bySocket, byCertificate]) await stream.endsWith(401);
    assert.ok(Date.now() >= end - 1_000, 'not before');
    assert.ok(steady.isOpen);
  });

  it('end with a 401 when the webhook no longer knows the token, not when it fails', async () => {
    reviewer.answer = ({ token }) =>
      token === 'opaque' ? { authenticated: true, user: { username: 'dora' } } : {};
    const stream = await open({ token: 'opaque' });
    reviewer.fail({});
    const { length } = reviewer.asked;
    await eventually(() => reviewer.asked.length >= length + 2, 'questions without an answer');
    assert.ok(stream.isOpen);
    reviewer.answer = () => ({ authenticated: false });
    await stream.endsWith(401);
  });

  it('end with a 401 when the authority of their certificate is removed', async () => {
    const [stream, steady] = [await open({ pair: await client() }), await open(as('steady'))];
    writeFileSync(at('clients.crt'), (await makeAuthority('others', Date.now())).certificate);
    await stream.endsWith(401);
    assert.ok(steady.isOpen);
  });

  it('end with a 401 when their token is removed from the file', async () => {
    const encoded = Buffer.from(tokenOf('ann')).toString('base64url');
    const [http, webSocket, steady] = [
      await open(as('ann')),
      await open({}, undefined, {
        ...WEB_SOCKET,
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${encoded}, a`,
      }),
      await open(as('steady')),
    ];
    writeFileSync(join(people.directory, 'tokens.csv'), `${tokenOf('steady')},steady,uid-steady\n`);
    await http.endsWith(401);
    await webSocket.endsWith(401);
    assert.ok(steady.isOpen);
  });
});
