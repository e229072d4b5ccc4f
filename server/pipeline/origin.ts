import { apiError } from '../../api/api-error.ts';
import type { Regex } from '../../cel/value/pattern.ts';
import type { ApiRequest } from '../../http/message.ts';
import { isWebSocketRequest } from '../../wire/websocket/handshake.ts';
import { isOwnOrigin } from '../../http/own-origin.ts';
import type { Stage } from '../../http/exchange.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A protocol of a WebSocket that carries a token. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.';

/**
 * Refuses what a page of a foreign origin makes a browser send. A browser shows
 * its client certificate to the server whatever page asks, so the certificate
 * does not prove that its owner wants the request; a token does. Answers of
 * plain reads stay hidden from the page, so only writes and WebSockets are refused.
 * Foreign is an origin that is not the host of the request and that
 * `--cors-allowed-origins` does not allow.
 */
export function originStage(allowed: readonly Regex[]): Stage {
  return {
    name: 'origin',
    handle(exchange, next) {
      const { request } = exchange;
      const { origin } = request.headers;
      if (origin === undefined || !usesCertificate(request)) return next(exchange);
      if (READS.has(request.method) && !isWebSocketRequest(request)) return next(exchange);
      if (isOwnOrigin(origin, request.headers.host)) return next(exchange);
      if (allowed.some(({ compiled }) => compiled.test(origin))) return next(exchange);
      const why = `pages of the origin ${JSON.stringify(origin)} may not use a client certificate`;
      throw apiError(403, 'Forbidden', `forbidden: ${why}`);
    },
  };
}

function usesCertificate({ peer, headers }: ApiRequest): boolean {
  if (peer.certificate === undefined || headers.authorization !== undefined) return false;
  return headers['sec-websocket-protocol']?.includes(TOKEN_PROTOCOL) !== true;
}
