import { removeHeaders } from '../../http/header-values.ts';
import type { ApiRequest } from '../../http/message.ts';

const NAMES = new Set(['authorization', 'proxy-authorization', 'x-remote-user', 'x-remote-uid']);
const PREFIXES = ['x-remote-group', 'x-remote-extra-'];
/** Of the names above: most headers are passed over by their first letter. */
const INITIALS = new Set(['a', 'p', 'x'].map((letter) => letter.charCodeAt(0)));

/** Headers that carry identities in addition to the usual ones, in lower case. */
export interface IdentityHeaders {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

const NONE: IdentityHeaders = { names: [], prefixes: [] };

/**
 * Removes every header that claims an identity: later stages must not decide by
 * them, log them, or forward them to another
 * server. (Those that ask for impersonation go once that is decided.) `more`:
 * what this server was told to believe; the usual ones go in any case.
 */
export function stripIdentityHeaders(request: ApiRequest, more: IdentityHeaders = NONE): void {
  removeHeaders(request, (name) => isIdentityHeader(name, more));
}

/** `name`: in lower case. */
export function isIdentityHeader(name: string, more: IdentityHeaders): boolean {
  return (
    (INITIALS.has(name.charCodeAt(0)) &&
      (NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)))) ||
    more.names.includes(name) ||
    more.prefixes.some((prefix) => name.startsWith(prefix))
  );
}
