import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePorts, TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const CONFIGURATION = 'deploy/haproxy/haproxy.cfg';
const COMPOSE = 'deploy/docker-compose.ha.yml';
const CLIENTS = 12;
/** Between two requests of a client: shorter than the delay of a stop, as clients at work are. */
const PAUSE_MS = 20;
const users = tokenUsers(['user']);

/** Reads and writes by turns on one connection, which it keeps for as long as the server does. */
class Client {
  readonly failures: string[] = [];
  answered = 0;
  readonly #url: string;
  readonly #name: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#ask('POST', LEASES, { metadata: { name: this.#name } });
    for (let n = 0; !signal.aborted; n++) {
      const path = `${LEASES}/${this.#name}`;
      if (n % 2 === 0) await this.#ask('GET', path);
      else await this.#ask('PATCH', path, { spec: { leaseTransitions: n } });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#agent.destroy();
  }

  async #ask(method: string, path: string, body?: unknown): Promise<void> {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      ...users.as('user'),
      ...(payload === '' ? {} : { 'content-type': type, 'content-length': String(payload.length) }),
    };
    await new Promise<void>((resolve) => {
      const failed = (what: string): void => {
        this.failures.push(`${method}: ${what}`);
        resolve();
      };
      const req = request(`${this.#url}${path}`, { agent: this.#agent, method, headers }, (res) => {
        res.resume();
        res.on('error', (error) => failed(String(error)));
        res.on('end', () => {
          this.answered++;
          if ((res.statusCode ?? 0) >= 300) failed(`status ${res.statusCode}`);
          else resolve();
        });
      });
      req.on('error', (error) => failed(String(error)));
      req.end(payload);
    });
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
    servers = await Promise.all([Plinth.start({ args }), Plinth.start({ args })]);
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

  it('loses no request of clients that keep their connections, read and write', async () => {
    const done = new AbortController();
    const clients = Array.from(
      { length: CLIENTS },
      (_, n) => new Client(`https://127.0.0.1:${ports[0]}`, `client-${n}`),
    );
    const runs = clients.map((client) => client.run(done.signal));
    try {
      await eventually(() => clients.every(({ answered }) => answered > 10), 'all are at work');
      for (const server of servers) {
        assert.equal(await server.stop(), 0);
        await server.start();
        const both = async (): Promise<boolean> => (await servingServers()) === 2;
        await eventually(both, 'the server is back', 60_000);
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
});
