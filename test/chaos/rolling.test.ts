import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { startAll } from '../support/start-all.ts';
import { tokenUsers } from '../support/token-users.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const CONFIGURATION = 'deploy/haproxy/haproxy.cfg';
const COMPOSE = 'deploy/docker-compose.ha.yml';
const CLIENTS = 12;
/** Between two requests of a client: shorter than the delay of a stop, as clients at work are. */
const PAUSE_MS = 20;
const users = tokenUsers(['user']);

/** Reads and writes by turns on one connection, which it keeps for as long as the server does. */
abstract class Client {
  readonly failures: string[] = [];
  answered = 0;
  protected readonly url: string;
  readonly #name: string;

  constructor(url: string, name: string) {
    this.url = url;
    this.#name = name;
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#asked('POST', LEASES, { metadata: { name: this.#name } });
    for (let n = 0; !signal.aborted; n++) {
      const path = `${LEASES}/${this.#name}`;
      if (n % 2 === 0) await this.#asked('GET', path);
      else await this.#asked('PATCH', path, { spec: { leaseTransitions: n } });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.close();
  }

  abstract close(): void;

  /** The status. Rejects when the answer does not come, or not to its end. */
  protected abstract ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload: string,
  ): Promise<number>;

  async #asked(method: string, path: string, body?: unknown): Promise<void> {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      ...users.as('user'),
      ...(payload === '' ? {} : { 'content-type': type, 'content-length': String(payload.length) }),
    };
    try {
      const status = await this.ask(method, path, headers, payload);
      this.answered++;
      if (status >= 300) this.failures.push(`${method}: status ${status}`);
    } catch (error) {
      this.failures.push(`${method}: ${String(error)}`);
    }
  }
}

class Http1Client extends Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  close(): void {
    this.#agent.destroy();
  }

  protected ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload: string,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const req = request(`${this.url}${path}`, { agent: this.#agent, method, headers }, (res) => {
        res.resume();
        res.on('error', reject);
        res.on('end', () => resolve(res.statusCode ?? 0));
      });
      req.on('error', reject);
      req.end(payload);
    });
  }
}

/** Opens another connection after GOAWAY, and sends again what the server says it has not begun. */
class Http2Client extends Client {
  #session: ClientHttp2Session | undefined;
  /** What the server has begun, of the sessions that it has ended. */
  readonly #lastBegun = new WeakMap<ClientHttp2Session, number>();

  close(): void {
    this.#session?.close();
  }

  protected async ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload: string,
  ): Promise<number> {
    for (;;) {
      const session = (this.#session ??= this.#open());
      const stream = session.request({ ':method': method, ':path': path, ...headers });
      let status = 0;
      stream.on('response', (head) => (status = head[':status'] ?? 0)).resume();
      if (payload !== '') stream.end(payload);
      const error = await new Promise<Error | undefined>((resolve) => {
        stream.on('error', resolve).on('close', () => resolve(undefined));
      });
      if (error === undefined && status !== 0) return status;
      const isNew = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      if (!isNew && (stream.id ?? 0) <= (this.#lastBegun.get(session) ?? Infinity)) {
        throw error ?? new Error('the stream ended without an answer');
      }
    }
  }

  #open(): ClientHttp2Session {
    const session = connect(this.url, { rejectUnauthorized: false });
    const leave = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    session.on('goaway', (_code, last) => {
      this.#lastBegun.set(session, last);
      leave();
    });
    session.on('error', () => undefined).on('close', leave);
    return session;
  }
}

/** The delivered configuration, for servers of this machine. */
function configurationFor(servers: readonly Plinth[], port: number, statePort: number): string {
  return `${readFileSync(CONFIGURATION, 'utf8')
    .replace(/^resolvers docker\n(?: .*\n)*/m, '')
    .replace(/ resolvers docker init-addr \S+/, '')
    .replace('bind :6443', `bind 127.0.0.1:${port}`)
    .replaceAll(/^( *server plinth-(\d)) .*$/gm, (_line, server: string, n: string) => {
      return `${server} ${new URL(servers[Number(n) - 1]!.url).host}`;
    })}
frontend state
  mode http
  bind 127.0.0.1:${statePort}
  stats enable
  stats uri /
`;
}

describe('a roll behind the delivered load balancer', function () {
  this.timeout(180_000);
  let etcd: TestEtcd;
  let servers: Plinth[] = [];
  let balancer: ChildProcess;
  let scratch: string;
  let ports: number[];

  before(async () => {
    etcd = await TestEtcd.start();
    const flags: string[] = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }).services[
      'plinth-1'
    ].command;
    const delay = flags.filter((flag) => flag.startsWith('--shutdown-delay-duration'));
    assert.equal(delay.length, 1);
    const args = [...users.args, ...delay, '--etcd-servers', etcd.url];
    servers = await startAll([Plinth.start({ args }), Plinth.start({ args })]);
    scratch = mkdtempSync(join(tmpdir(), 'plinth-roll-'));
    ports = await freePorts(2);
    const file = join(scratch, 'haproxy.cfg');
    writeFileSync(file, configurationFor(servers, ports[0]!, ports[1]!));
    balancer = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually(async () => (await servingServers()) === 2, 'two servers that serve');
  });
  after(async () => {
    const ended = once(balancer, 'exit');
    balancer.kill();
    await ended;
    for (const server of servers) await server.dispose();
    await etcd.dispose();
    rmSync(scratch, { recursive: true });
  });

  /** As the balancer sees it. */
  async function servingServers(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${ports[1]}/;csv`).catch(() => undefined);
    const lines = (await answer?.text())?.split('\n') ?? [];
    return lines.filter((line) => /^servers,plinth-.*,UP,/.test(line)).length;
  }

  for (const [protocol, Protocol] of [
    ['HTTP/1.1', Http1Client],
    ['HTTP/2', Http2Client],
  ] as const) {
    it(`loses no request of clients that keep their connections, read and write: ${protocol}`, async () => {
      const done = new AbortController();
      const clients = Array.from(
        { length: CLIENTS },
        (_, n) => new Protocol(`https://127.0.0.1:${ports[0]}`, `client-${protocol.at(-1)}-${n}`),
      );
      const runs = clients.map((client) => client.run(done.signal));
      try {
        await eventually(() => clients.every(({ answered }) => answered > 10), 'all are at work');
        for (const server of servers) {
          assert.equal(await server.stop(), 0);
          await server.start();
          const both = async (): Promise<boolean> => (await servingServers()) === 2;
          await eventually(both, 'the server is back');
        }
      } finally {
        done.abort();
        await Promise.all(runs);
      }
      assert.deepEqual(
        clients.flatMap(({ failures }) => failures),
        [],
      );
    });
  }
});
