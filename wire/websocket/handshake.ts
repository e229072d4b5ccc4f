import { createHash } from 'node:crypto';
import { apiError, badRequest } from '../../api/api-error.ts';
import { BEARER_PROTOCOL_PREFIX } from '../../api/naming.ts';
import type { ApiRequest } from '../../http/message.ts';

/** What RFC 6455 appends to a client's key. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const VERSION = '13';
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/** Does the request ask for a WebSocket, and can it have one? */
export function isWebSocketRequest(request: ApiRequest): boolean {
  const { upgrade, connection } = request.headers;
  return (
    request.isUpgradable === true &&
    (upgrade ?? '').toLowerCase() === 'websocket' &&
    /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(connection ?? '')
  );
}

/**
 * Headers of the answer 101. Of the protocols that the client offers the first
 * is taken, whatever its name: the messages are the same (behaviours 2.7).
 *
 * @throws ApiError 400 when the request is not a valid handshake
 */
export function handshakeHeaders({ method, headers }: ApiRequest): Record<string, string> {
  const key = headers['sec-websocket-key'] ?? '';
  if (method !== 'GET') throw badRequest('a WebSocket upgrade must use GET');
  if (headers['sec-websocket-version'] !== VERSION) {
    throw apiError(400, 'BadRequest', `the WebSocket version must be ${VERSION}`);
  }
  if (!KEY.test(key)) throw badRequest('missing or bad Sec-WebSocket-Key');
  const protocol = protocolOf(headers['sec-websocket-protocol']);
  return {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64'),
    ...(protocol === undefined ? {} : { 'sec-websocket-protocol': protocol }),
  };
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

function protocolOf(header: string | undefined): string | undefined {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .find((name) => TOKEN.test(name) && !name.startsWith(BEARER_PROTOCOL_PREFIX));
}
