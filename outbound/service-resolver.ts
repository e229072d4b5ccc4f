import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../api/clock.ts';
import { addressOf, serviceEndpoint, type ServiceName } from './endpoint.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Tells where a service of the cluster is. */
export interface ServiceResolver {
  /** @throws Error when the service is unknown */
  resolve(service: ServiceName): Address;
}

/** Names services as the DNS of a cluster does: `<name>.<namespace>.svc:<port>`. */
export const dnsResolver: ServiceResolver = {
  resolve: (service) => serviceEndpoint(service),
};

/** A changed file is noticed after so long at the latest. */
const RECHECK_MS = 1_000;

/**
 * Takes addresses of services from a file, for installations without the DNS
 * of a cluster; services that are not in it are left to another resolver. Lines
 * are `<namespace>/<name>[:<port>] <host>:<port>`; `#` begins a comment. The file
 * is read again when it has changed; one that has become unreadable or wrong
 * leaves in force what was read before.
 *
 * @throws Error that names file and line when it cannot be read at the beginning
 */
export class FileResolver implements ServiceResolver {
  readonly #file: string;
  readonly #otherwise: ServiceResolver;
  readonly #clock: Clock;
  readonly #onProblem: (message: string, error: unknown) => void;
  #addresses: ReadonlyMap<string, Address>;
  #version: string;
  #checkedAt: number;

  constructor(
    file: string,
    otherwise: ServiceResolver,
    clock: Clock,
    onProblem: (message: string, error: unknown) => void,
  ) {
    this.#file = file;
    this.#otherwise = otherwise;
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#version = versionOf(file);
    this.#addresses = parseServices(readFileSync(file, 'utf8'), file);
    this.#checkedAt = clock.monotonic();
  }

  resolve(service: ServiceName): Address {
    this.#refresh();
    const { namespace, name, port } = service;
    return (
      this.#addresses.get(`${namespace}/${name}:${port}`) ??
      this.#addresses.get(`${namespace}/${name}`) ??
      this.#otherwise.resolve(service)
    );
  }

  #refresh(): void {
    const now = this.#clock.monotonic();
    if (now - this.#checkedAt < RECHECK_MS) return;
    this.#checkedAt = now;
    try {
      const version = versionOf(this.#file);
      if (version === this.#version) return;
      this.#version = version;
      this.#addresses = parseServices(readFileSync(this.#file, 'utf8'), this.#file);
    } catch (error) {
      this.#onProblem('the addresses of services cannot be read again', error);
    }
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}

const LINE =
  /^([a-z0-9-]+\/[a-z0-9-]+(?::\d{1,5})?)\s+(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/;

/** @throws Error that names file and line */
function parseServices(text: string, file: string): Map<string, Address> {
  const addresses = new Map<string, Address>();
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#.*/, '').trim();
    if (line === '') continue;
    const [, service = '', ipv6, host = ipv6 ?? '', port = ''] = LINE.exec(line) ?? [];
    if (service === '' || Number(port) < 1 || Number(port) > 65_535) {
      throw new Error(`${file}, line ${i + 1}: expected <namespace>/<name>[:<port>] <host>:<port>`);
    }
    const address = { host: ipv6 ?? host, port: Number(port) };
    if (addresses.has(service)) {
      throw new Error(
        `${file}, line ${i + 1}: ${service} is at ${addressOf(address)} and elsewhere`,
      );
    }
    addresses.set(service, address);
  }
  return addresses;
}
