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
      'addresses of services that webhooks, conversions and APIServices name, one "<namespace>/<name>[:<port>] <host>:<port>" per line; others are looked up as <name>.<namespace>.svc; read again when it changes',
  },
  {
    name: 'proxyClientCertFile',
    flags: '--proxy-client-cert-file <file>',
    description:
      'PEM file of the certificate that is shown to servers of APIServices, which then believe who asks; with --proxy-client-key-file. Default: one of an authority made for it, <data-dir>/pki/front-proxy-ca.crt, which those servers need as their --requestheader-client-ca-file; read again when it changes',
  },
  {
    name: 'proxyClientKeyFile',
    flags: '--proxy-client-key-file <file>',
    description: 'PEM file of the key of --proxy-client-cert-file',
  },
];
