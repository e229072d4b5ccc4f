import { aliasText } from '../../api/alias-text.ts';
import type { Exchange, Frame } from '../../http/exchange.ts';

/**
 * Headers that all answers share: by which name the request is known, no caching
 * unless a handler says so, and what the request is warned of.
 *
 * @param transportDirectives of Strict-Transport-Security
 */
export function headersFrame(transportDirectives: readonly string[]): Frame {
  const transport = transportDirectives.join('; ');
  return {
    name: 'headers',
    leave(exchange, response) {
      const { headers } = response;
      headers['audit-id'] = exchange.auditId;
      headers['cache-control'] ??= 'no-cache, private';
      if (transport !== '') headers['strict-transport-security'] = transport;
      const warnings = exchange.warnings.headers();
      if (warnings.length > 0) headers.warning = named(exchange, warnings);
      return response;
    },
  };
}

/** Warnings speak of the object by the name that was asked by. */
function named({ info }: Exchange, warnings: string[]): string[] {
  return info.alias ? warnings.map((text) => aliasText(text, info.group)) : warnings;
}
