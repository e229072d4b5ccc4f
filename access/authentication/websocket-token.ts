import { BEARER_PROTOCOL_PREFIX } from '../../api/naming.ts';
import { CredentialError, type Credentials } from './authenticator.ts';

/** Browsers cannot set headers on a WebSocket, but protocols: the token travels as one of them. */
const PREFIXES = [BEARER_PROTOCOL_PREFIX, 'base64url.bearer.authorization.cluster.io.'];
const HEADER = 'sec-websocket-protocol';
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Removes the token from the offered protocols of a WebSocket handshake, so that
 * later stages neither answer with it nor log it. Source: behaviours 10.2.
 *
 * @throws CredentialError when it cannot be read, comes twice, or comes alone
 */
export function takeWebSocketToken({ headers }: Credentials): string | undefined {
  const offered = headers[HEADER];
  if (typeof offered !== 'string' || headers.upgrade?.toLowerCase() !== 'websocket') {
    return undefined;
  }
  const protocols = offered.split(',').map((protocol) => protocol.trim());
  const isToken = (protocol: string): boolean =>
    PREFIXES.some((prefix) => protocol.startsWith(prefix));
  const tokens = protocols.filter(isToken);
  if (tokens.length === 0) return undefined;
  const others = protocols.filter((protocol) => !isToken(protocol));
  if (tokens.length > 1) throw new CredentialError('Sec-WebSocket-Protocol has several tokens');
  if (others.length === 0)
    throw new CredentialError(
      'Sec-WebSocket-Protocol must name a protocol in addition to the token',
    );
  headers[HEADER] = others.join(', ');
  return decoded(tokens[0] ?? '');
}

function decoded(protocol: string): string {
  const prefix = PREFIXES.find((each) => protocol.startsWith(each)) ?? '';
  const encoded = protocol.slice(prefix.length);
  if (!BASE64URL.test(encoded))
    throw new CredentialError('the token in Sec-WebSocket-Protocol is not base64url');
  const token = Buffer.from(encoded, 'base64url').toString('utf8');
  if (token === '' || token.includes('\ufffd')) {
    throw new CredentialError('the token in Sec-WebSocket-Protocol is not UTF-8');
  }
  return token;
}
