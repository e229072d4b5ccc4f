import { getPath, type JsonObject } from '../../api/json.ts';
import { microTimeOf, parseMicroTime } from '../../api/time.ts';
import type { ObjectName, TestServer } from '../support/world.ts';

const GROUP = 'coordination.cluster.io';
const RENEW_MS = 1_000;

/**
 * A process that stands for a Lease, as clients do: answers pings, renews the
 * lease while it holds it, and lets it go when another one is preferred.
 */
export class SimulatedCandidate {
  readonly name: string;
  readonly #server: TestServer;
  readonly #candidate: ObjectName;
  readonly #lease: ObjectName;
  #alive = false;
  #cancel = (): void => undefined;

  constructor(server: TestServer, name: string, lease: { namespace: string; name: string }) {
    this.name = name;
    this.#server = server;
    const { namespace } = lease;
    this.#candidate = { group: GROUP, resource: 'leasecandidates', namespace, name };
    this.#lease = { group: GROUP, resource: 'leases', ...lease };
  }

  async start(binaryVersion: string, emulationVersion: string): Promise<void> {
    const { namespace, name } = this.#candidate;
    await this.#server.create(GROUP, 'leasecandidates', {
      metadata: { namespace: namespace!, name },
      spec: {
        leaseName: this.#lease.name,
        binaryVersion,
        emulationVersion,
        strategy: 'OldestEmulationVersion',
        renewTime: this.#now(),
      },
    });
    this.#alive = true;
    this.#tick();
  }

  /** It is gone without a word. */
  die(): void {
    this.#alive = false;
    this.#cancel();
  }

  #now(): string {
    return microTimeOf(this.#server.world.clock.now());
  }

  #tick(): void {
    if (!this.#alive) return;
    void this.#act()
      // another client has written at the same time: the next tick sees the change
      .catch(() => undefined)
      .finally(() => {
        if (this.#alive)
          this.#cancel = this.#server.world.clock.after(RENEW_MS, () => this.#tick());
      });
  }

  async #act(): Promise<void> {
    const own = (await this.#server.get(this.#candidate))?.['spec'] as JsonObject;
    if (timeOf(own, 'pingTime') > timeOf(own, 'renewTime')) {
      await this.#server.update(this.#candidate, (object) => (object.spec.renewTime = this.#now()));
    }
    const lease = (await this.#server.get(this.#lease)) ?? {};
    const preferred = getPath(lease, 'spec', 'preferredHolder') ?? this.name;
    if (getPath(lease, 'spec', 'holderIdentity') !== this.name || preferred !== this.name) return;
    await this.#server.update(this.#lease, (object) => (object.spec.renewTime = this.#now()));
  }
}

function timeOf(spec: JsonObject, field: string): bigint {
  const value = spec[field];
  return typeof value === 'string' ? (parseMicroTime(value) ?? 0n) : 0n;
}
