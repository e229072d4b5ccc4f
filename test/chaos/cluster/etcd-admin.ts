import { Etcd3 } from 'etcd3';
import { ReferenceClient } from '../../support/etcd3-client.ts';
import type { Part } from './part.ts';

const CALL_MS = 3_000;
/** Elections and restarts are over by then. */
const PATIENCE_MS = 40_000;
const RETRY_MS = 200;

/** Looks at etcd and tends it from outside, by the plain client, never by the code under test. */
export class EtcdAdmin {
  readonly #endpoints: ReadonlyMap<Part, string>;

  constructor(endpoints: ReadonlyMap<Part, string>) {
    this.#endpoints = endpoints;
  }

  /** The member that leads, and one that follows. */
  async roles(): Promise<{ leader: Part; follower: Part }> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      for (const [member, endpoint] of this.#endpoints) {
        const status = await this.#with(endpoint, (client) => client.maintenance.status());
        if (status === undefined || status.header.member_id !== status.leader) continue;
        const follower = [...this.#endpoints.keys()].find((other) => other !== member);
        if (follower !== undefined) return { leader: member, follower };
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw new Error('no member leads');
  }

  /** Runs something at the first member at which it works. */
  anywhere<T>(action: (client: Etcd3) => Promise<T>): Promise<T> {
    return this.#patiently(CALL_MS, (endpoint) => new Etcd3({ hosts: endpoint }), action);
  }

  async everywhere(action: (client: Etcd3) => Promise<unknown>): Promise<void> {
    for (const endpoint of this.#endpoints.values()) {
      await this.#with(endpoint, action);
    }
  }

  /** The same with the client that speaks etcd's protocol as it is. */
  reference<T>(action: (client: ReferenceClient) => Promise<T>): Promise<T> {
    return this.#patiently(3 * CALL_MS, (endpoint) => new ReferenceClient(endpoint), action);
  }

  async #patiently<C extends { close(): void }, T>(
    callMs: number,
    connect: (endpoint: string) => C,
    action: (client: C) => Promise<T>,
  ): Promise<T> {
    let last: unknown;
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
      for (const endpoint of this.#endpoints.values()) {
        const client = connect(endpoint);
        try {
          return await within(callMs, action(client));
        } catch (error) {
          last = error;
        } finally {
          client.close();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw new Error('no member of etcd answers', { cause: last });
  }

  async #with<T>(endpoint: string, action: (client: Etcd3) => Promise<T>): Promise<T | undefined> {
    const client = new Etcd3({ hosts: endpoint });
    try {
      return await within(CALL_MS, action(client));
    } catch {
      return undefined;
    } finally {
      client.close();
    }
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
