import type { Flag } from './flag.ts';

/** Where servers are that this one calls: webhooks, and those that serve groups of the API. */
export interface OutboundConfig {
  readonly serviceEndpointsFile: string | undefined;
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
}

export const OUTBOUND_FLAGS: readonly Flag<OutboundConfig>[] = [
  {
    name: 'serviceEndpointsFile',
    flags: '--service-endpoints-file <file>',
    description:
      'file with the addresses of services that webhooks, conversions and APIServices name, one "<namespace>/<name>[:<port>] <host>:<port>" per line; other services are resolved as <name>.<namespace>.svc; reloaded when it changes',
  },
  {
    name: 'proxyClientCertFile',
    flags: '--proxy-client-cert-file <file>',
    description:
      'PEM file of the client certificate for the servers of APIServices, which makes those servers trust the user headers; requires --proxy-client-key-file; reloaded when it changes. Default: a certificate of the generated authority <data-dir>/pki/front-proxy-ca.crt, which those servers need as their --requestheader-client-ca-file',
  },
  {
    name: 'proxyClientKeyFile',
    flags: '--proxy-client-key-file <file>',
    description: 'PEM file of the private key of --proxy-client-cert-file',
  },
];
