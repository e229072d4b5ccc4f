import { isIP } from 'node:net';
import { posix } from 'node:path';
import type { ClientConfigValue } from '../resources/webhook-client.ts';
import { CallError } from './call-error.ts';

/** A service of the cluster, as objects of the API name it. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Another server that is called over HTTPS: a webhook, or one that serves a group of the API. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
  /** Whom the certificate has to name. */
  readonly serverName: string;
  /** The service to look up in order to connect; undefined: `host` is where to connect. */
  readonly service: ServiceName | undefined;
  /** Authorities in PEM; undefined: those of the system. */
  readonly authorities: string | undefined;
  /** The certificate is not verified. */
  readonly insecure: boolean;
  /** What this server shows as its own identity. */
  readonly identity?: { readonly certificate: string; readonly key: string };
}

const DEFAULT_PORT = 443;

/**
 * The endpoint that a client configuration names.
 *
 * @throws CallError when the configuration is of no use; stored ones may be older than the rules for them
 */
export function endpointOf(config: ClientConfigValue): Endpoint {
  const common = { authorities: authoritiesOf(config.caBundle), insecure: false };
  if (config.service !== undefined) {
    const { namespace, name, path = '/', port = DEFAULT_PORT } = config.service;
    return { ...serviceEndpoint({ namespace, name, port }), ...common, path: cleanPath(path) };
  }
  if (config.url === undefined) {
    throw new CallError('refused', 'webhook configuration must have either service or URL');
  }
  const url = parseUrl(config.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    path: cleanPath(url.pathname),
    serverName: host,
    service: undefined,
    ...common,
  };
}

/** @throws Error when it is not an https URL */
export function endpointOfUrl(place: string, authorities: string | undefined): Endpoint {
  const url = new URL(place);
  if (url.protocol !== 'https:') throw new Error(`${place} is not an https URL`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    path: url.pathname + url.search,
    serverName: host,
    service: undefined,
    authorities,
    insecure: false,
  };
}

/** Where a service of the cluster is called: by the name that its certificate carries. */
export function serviceEndpoint(
  service: ServiceName,
): Pick<Endpoint, 'host' | 'port' | 'serverName' | 'service'> {
  const host = `${service.name}.${service.namespace}.svc`;
  return { host, port: service.port, serverName: host, service };
}

/** `host:port`, with an IPv6 address in brackets. */
export function addressOf({ host, port }: Pick<Endpoint, 'host' | 'port'>): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CallError('refused', `Unparsable URL: ${JSON.stringify(text)}`);
  }
  if (url.protocol !== 'https:') {
    throw new CallError('refused', 'webhooks are called over HTTPS only');
  }
  return url;
}

/** Joined as kube-apiserver joins it: `//mutate/` of envtest's URLs is `/mutate`. */
function cleanPath(path: string): string {
  const joined = posix.join('/', path);
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

/** Base64 of PEM; white space alone counts as nothing. */
export function authoritiesOf(caBundle: string | undefined): string | undefined {
  if (caBundle === undefined || caBundle === '') return undefined;
  const pem = Buffer.from(caBundle, 'base64').toString('latin1');
  return pem.trim() === '' ? undefined : pem;
}
