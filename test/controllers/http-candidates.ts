import type { Plinth } from '../support/plinth.ts';
import { ok } from './fleet.ts';

const BASE = '/apis/coordination.cluster.io';
const CANDIDATES = `${BASE}/v1beta1/namespaces/default/leasecandidates`;
const POLL_MS = 100;
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

/** Processes that stand for one Lease, as clients do, seen from outside: they answer pings, and the holder renews until it is asked to yield. */
export class HttpCandidates {
  /** Who was preferred to a holder. */
  readonly preferred = new Set<string>();
  readonly #server: Plinth;
  readonly #lease: string;

  constructor(server: Plinth, lease: string) {
    this.#server = server;
    this.#lease = lease;
  }

  /** The lease's spec. */
  async lease(): Promise<any> {
    return (await this.#server.get(this.#path)).json?.spec ?? {};
  }

  stand(name: string, binaryVersion: string, emulationVersion: string): Promise<any> {
    const spec = {
      ...{ leaseName: this.#lease, binaryVersion, emulationVersion },
      ...{ strategy: 'OldestEmulationVersion', renewTime: now() },
    };
    return ok(this.#server.send('POST', CANDIDATES, { metadata: { name }, spec }));
  }

  /** The returned function ends them all. */
  run(): () => Promise<void> {
    let isStopped = false;
    const forever = async (): Promise<void> => {
      while (!isStopped) {
        await this.#turn();
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    };
    const end = forever();
    return () => {
      isStopped = true;
      return end;
    };
  }

  async #turn(): Promise<void> {
    for (const { metadata, spec } of (await ok(this.#server.get(CANDIDATES))).items) {
      const isAsked = spec.leaseName === this.#lease && spec.pingTime > spec.renewTime;
      if (isAsked) await this.#renew(`${CANDIDATES}/${metadata.name}`);
    }
    const { preferredHolder, holderIdentity } = await this.lease();
    if (preferredHolder !== undefined) this.preferred.add(preferredHolder);
    else if (holderIdentity !== undefined) await this.#renew(this.#path);
  }

  get #path(): string {
    return `${BASE}/v1/namespaces/default/leases/${this.#lease}`;
  }

  /** A conflict with a write of the election is seen in the next turn. */
  async #renew(path: string): Promise<void> {
    await this.#server.send('PATCH', path, { spec: { renewTime: now() } }, MERGE_PATCH);
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`;
}
