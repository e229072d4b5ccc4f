import assert from 'node:assert/strict';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { startAll } from '../support/start-all.ts';

/** Requests under way at one time. */
const WORKERS = 16;

/** Three servers on one etcd, of which the one that runs the loops can be killed. */
export class Fleet {
  readonly etcd: TestEtcd;
  readonly #servers: Plinth[];
  #dead: Plinth | undefined;
  #healing: Promise<void> | undefined;

  private constructor(etcd: TestEtcd, servers: Plinth[]) {
    this.etcd = etcd;
    this.#servers = servers;
  }

  static async start(...args: string[]): Promise<Fleet> {
    const etcd = await TestEtcd.start();
    const start = (): Promise<Plinth> =>
      Plinth.start({ args: ['--etcd-servers', etcd.url, ...args] });
    try {
      return new Fleet(etcd, await startAll([start(), start(), start()]));
    } catch (error) {
      await etcd.dispose();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#healing;
    await Promise.all(this.#servers.map((server) => server.dispose()));
    await this.etcd.dispose();
  }

  get living(): Plinth[] {
    return this.#servers.filter((server) => server !== this.#dead);
  }

  /** The server that runs the elected loops; waits until there is one. */
  async leader(): Promise<Plinth> {
    const found: Plinth[] = [];
    await eventually(async () => {
      for (const server of this.living) {
        const { json } = await server.get('/debug/loops');
        if (json.leading === true) found.push(server);
      }
      return found.length > 0;
    }, 'an elected server');
    return found[0]!;
  }

  /** A server that is not elected, and therefore stays. */
  async follower(): Promise<Plinth> {
    const leader = await this.leader();
    return this.living.find((server) => server !== leader)!;
  }

  /** Ends the elected server as a power cut would; the two others are there. */
  async killLeader(): Promise<void> {
    await this.healed();
    await (
      await this.readyToKill()
    )();
  }

  /** {@link killLeader}, with the elected server looked for before. */
  async readyToKill(): Promise<() => Promise<void>> {
    const leader = await this.leader();
    return async () => {
      this.#dead = leader;
      await leader.stop('SIGKILL');
    };
  }

  /** Stops the elected server from running, with all its connections open; the returned function lets it go on. */
  async readyToFreeze(): Promise<() => () => void> {
    const leader = await this.leader();
    return () => {
      process.kill(leader.pid, 'SIGSTOP');
      this.#dead = leader;
      return () => {
        process.kill(leader.pid, 'SIGCONT');
        this.#dead = undefined;
      };
    };
  }

  /** Begins to start the server again that was killed. */
  heal(): void {
    const dead = this.#dead;
    this.#healing ??= dead?.start().finally(() => {
      this.#dead = undefined;
      this.#healing = undefined;
    });
  }

  /** Three servers again. */
  async healed(): Promise<void> {
    this.heal();
    await this.#healing;
  }

  /** Keys in etcd under a part of the registry. */
  async keys(prefix: string): Promise<number> {
    const key = Buffer.from(`/registry/${prefix}`);
    const rangeEnd = Buffer.from(key);
    rangeEnd[rangeEnd.length - 1]! += 1;
    const client = this.etcd.client();
    try {
      const { count } = await client.call('range', { key, rangeEnd, countOnly: true }, CALL);
      return count;
    } finally {
      client.close();
    }
  }
}

const CALL = { timeoutMs: 2_000 };

/** The body of an answer that must be a success. */
export async function ok(reply: Promise<Reply>): Promise<any> {
  const { status, json, text } = await reply;
  assert.ok(status >= 200 && status < 300, `${status} ${text.slice(0, 500)}`);
  return json;
}

export async function each<T>(
  items: Iterable<T>,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
