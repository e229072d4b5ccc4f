import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that are about one connection only. Source: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'expect', 'http2-settings'],
]);
/** By these a client proves who it is, to this server and no other; and those that this server sets itself. */
const NOT_FORWARDED = new Set([
  ...['authorization', 'proxy-authorization', 'proxy-authenticate', 'cookie'],
  ...['host', 'content-length', 'forwarded'],
]);
const NOT_FORWARDED_PREFIXES = ['x-remote-', 'impersonate-', 'x-forwarded-'];

/**
 * By these a server speaks for the whole host, to browsers above all: that host
 * is this server. Its own rules for other origins (`--cors-allowed-origins`) are
 * the only ones, and it has no cookies.
 */
const NOT_RETURNED = new Set([
  ...['set-cookie', 'set-cookie2', 'www-authenticate', 'proxy-authenticate'],
  ...['strict-transport-security', 'alt-svc', 'clear-site-data', 'timing-allow-origin'],
  ...['nel', 'report-to', 'reporting-endpoints', 'service-worker-allowed'],
  // redirects a browser as `location` would
  'refresh',
  // this server's own names the request in its log
  'audit-id',
]);
const NOT_RETURNED_PREFIXES = ['access-control-', 'cross-origin-'];

/**
 * The console has the same origin: without these, a page of the other server could
 * run scripts there that act with the user's session. A policy of the other server
 * counts in addition.
 */
const SANDBOX = 'sandbox';
const NO_SNIFFING = 'nosniff';

/** The client's headers as another server may see them: without who it is, and without what is about its connection. */
export function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = connectionNames(headers);
  const forwarded: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    // Some servers take an underscore in a name for a hyphen.
    const plain = name.replaceAll('_', '-');
    if (value === undefined || HOP_BY_HOP.has(plain) || named.has(name)) continue;
    if (NOT_FORWARDED.has(plain)) continue;
    if (NOT_FORWARDED_PREFIXES.some((prefix) => plain.startsWith(prefix))) continue;
    forwarded[name] = value;
  }
  return forwarded;
}

/** The other server's headers as the client may see them. */
export function returnedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = connectionNames(headers);
  const returned: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || named.has(name)) continue;
    if (NOT_RETURNED.has(name)) continue;
    if (NOT_RETURNED_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    returned[name] = value;
  }
  returned['x-content-type-options'] = NO_SNIFFING;
  const policies = headers['content-security-policy'];
  returned['content-security-policy'] =
    policies === undefined ? SANDBOX : [SANDBOX, ...[policies].flat()];
  return returned;
}

/** A connection may name further headers that are about itself. */
function connectionNames({ connection = '' }: IncomingHttpHeaders): Set<string> {
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
