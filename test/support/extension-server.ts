import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { eventually, type Plinth } from './plinth.ts';
import { answerJson, TlsServer, type TlsHandler } from './tls-server.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Common name of a certificate that the authority for proxies has signed. */
  proxy: string | undefined;
}

const SERVICE = 'metrics.team.svc';
export const EXTENSION_GROUP = 'metrics.example.com';

/** A server that answers for a group, as one behind an API server would: believes who asks when a proxy says so. */
export class ExtensionServer {
  readonly server: TlsServer;
  readonly seen: Seen[] = [];
  /** In place of ordinary answers; what it leaves unanswered stays so. */
  handler: TlsHandler | undefined;
  /** Asked before anything else: the discovery of the group. */
  discovery: (response: ServerResponse) => void = (response) =>
    answerJson(response, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: `${EXTENSION_GROUP}/v1`,
      resources: [
        {
          ...{ name: 'gauges', singularName: 'gauge', namespaced: true, kind: 'Gauge' },
          ...{ verbs: ['get', 'list', 'watch'], shortNames: ['gg'] },
        },
        { name: 'gauges/scale', singularName: '', namespaced: true, kind: 'Scale', verbs: ['get'] },
      ],
    });

  openApi: (url: string, response: ServerResponse) => void = (_, response) => {
    response.writeHead(404).end();
  };

  private constructor(server: TlsServer) {
    this.server = server;
  }

  /** `dataDir`: of the Plinth that it is to believe, unless `ca` says which proxies are. */
  static async start(dataDir: string, names = [SERVICE], ca?: string): Promise<ExtensionServer> {
    ca ??= readFileSync(join(dataDir, 'pki', 'front-proxy-ca.crt'), 'utf8');
    const tls = { ca, requestCert: true, rejectUnauthorized: false };
    const server = await TlsServer.start({ handler: () => undefined, names, tls });
    const extension = new ExtensionServer(server);
    server.handler = (request, response, body) => extension.#handle(request, response, body);
    return extension;
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: string): void | Promise<void> {
    const { method = '', url = '', headers } = request;
    if (url === `/apis/${EXTENSION_GROUP}/v1`) {
      this.discovery(response);
      return;
    }
    if (url.startsWith('/openapi/')) {
      this.openApi(url, response);
      return;
    }
    this.seen.push({ method, url, headers, body, proxy: proxyOf(request) });
    if (this.handler !== undefined) return this.handler(request, response, body);
    answerJson(response, { kind: 'Gauge', path: url });
  }

  get port(): number {
    return this.server.port;
  }

  apiService(spec: object = {}): object {
    return {
      apiVersion: 'apiregistration.cluster.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${EXTENSION_GROUP}` },
      spec: {
        ...{ group: EXTENSION_GROUP, version: 'v1' },
        ...{ groupPriorityMinimum: 1500, versionPriority: 20 },
        service: { namespace: 'team', name: 'metrics', port: this.port },
        caBundle: this.server.caBundle,
        ...spec,
      },
    };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** The name of the proxy in whose certificate the request came; undefined: it showed none that counts. */
function proxyOf({ socket }: IncomingMessage): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  return String(socket.getPeerCertificate().subject.CN);
}

/** Has Plinth find services of the namespace `team` on this machine, whatever their port. */
export function writeEndpoints(file: string, ports: Record<string, number>): void {
  const lines = Object.entries(ports).map(([name, port]) => `team/${name} 127.0.0.1:${port}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
}

export const API_SERVICES = '/apis/apiregistration.cluster.io/v1/apiservices';

export async function conditionOf(plinth: Plinth, name = `v1.${EXTENSION_GROUP}`): Promise<any> {
  const { json } = await plinth.get(`${API_SERVICES}/${name}`);
  return json.status?.conditions?.find(({ type }: any) => type === 'Available');
}

export function untilAvailable(plinth: Plinth, status = 'True'): Promise<void> {
  return eventually(
    async () => (await conditionOf(plinth))?.status === status,
    `Available ${status}`,
  );
}
