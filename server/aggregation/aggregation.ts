import type { HttpsClient } from '../../outbound/https-client.ts';
import type { Clock } from '../../api/clock.ts';
import { AvailabilityLoop } from '../../controllers/api-services/availability-loop.ts';
import { RegistrationLoop } from '../../controllers/api-services/registration-loop.ts';
import type { Loop } from '../../controllers/loop.ts';
import type { RemoteContent } from '../../controllers/namespaces/remote-content.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { defaultPriority } from '../../discovery/priorities.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ProxyIdentity } from '../../access/pki/proxy-identity.ts';
import { ApiServices } from './api-services.ts';
import { availabilityProbe } from './probe.ts';
import { Proxy } from './proxy.ts';
import { RemoteCaller } from './remote-caller.ts';
import { RemoteContents } from './remote-content.ts';
import { RemoteDocuments } from './remote-documents.ts';

interface AggregationParts {
  readonly parts: RegistryParts;
  readonly client: HttpsClient;
  readonly identity: ProxyIdentity;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
  /** Told of each request that another server has answered. */
  readonly onProxied: (name: string, status: number) => void;
}

/** Groups that other servers answer for, behind this one's authentication and authorization. */
export class Aggregation {
  readonly documents: RemoteDocuments;
  /** What other servers keep of namespaces. */
  readonly content: RemoteContent;
  readonly loops: readonly Loop[];
  readonly #services: ApiServices;
  readonly #proxy: Proxy;
  readonly #identity: ProxyIdentity;
  readonly #onProxied: AggregationParts['onProxied'];

  constructor(options: AggregationParts) {
    const { parts, client, identity, maxBodyBytes, clock, onProblem, onProxied } = options;
    this.#onProxied = onProxied;
    const { replica } = parts.reader;
    const isBuiltin = builtinVersions(parts);
    this.#identity = identity;
    this.#services = new ApiServices({ replica, isBuiltin, onProblem });
    const outbound = { client, identity: () => identity.current() };
    const caller = new RemoteCaller(outbound);
    this.#proxy = new Proxy({ ...outbound, maxBodyBytes });
    this.documents = new RemoteDocuments({
      ...{ services: this.#services, catalog: parts.catalog, caller, clock },
    });
    const { documents } = this;
    this.content = new RemoteContents({ services: this.#services, documents, caller, clock });
    this.loops = [
      new RegistrationLoop(parts, defaultPriority),
      new AvailabilityLoop(parts, availabilityProbe(caller)),
      this.documents,
    ];
  }

  /** The answer of the server that the path belongs to; undefined: that is this one. */
  route(exchange: Exchange): Promise<ApiResponse> | undefined {
    if (!this.#services.hasRemotes) return undefined;
    const [, root, group = '', version] = exchange.info.path.split('/');
    if (root !== 'apis' || version === undefined) return undefined;
    const remote = this.#services.find(group, version)?.remote;
    if (remote === undefined) return undefined;
    // a user who may not see all of it there is not shown a part
    if (exchange.refusal !== undefined) throw exchange.refusal;
    return this.#proxy.handle(exchange, remote).then((response) => {
      this.#onProxied(`${version}.${group}`, response.status);
      return response;
    });
  }

  /** Of every APIService that names another server, whether that can be reached. */
  *availability(): Iterable<readonly [name: string, available: boolean]> {
    for (const { name, remote } of this.#services.list()) {
      if (remote !== undefined) yield [name, remote.available];
    }
  }

  /** Ends the streams that are open to other servers. */
  stop(): void {
    this.#proxy.stop();
    this.#services.stop();
    this.#identity.stop();
  }
}

function builtinVersions({ catalog }: RegistryParts): (group: string, version: string) => boolean {
  const names = new Set<string>();
  for (const { definition, resource } of catalog.served()) {
    if (definition.builtin) names.add(`${resource.group}/${resource.version}`);
  }
  return (group, version) => names.has(`${group}/${version}`);
}
