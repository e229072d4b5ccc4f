import type { UserInfo } from '../../api/user.ts';

/** Characters of a header's name in addition to letters and digits; `%` escapes others. */
const TOKEN = /^[A-Za-z0-9!#$&'*+.^_`|~-]$/;

/**
 * The headers by which a server behind this one is told who asks. It believes
 * them since this one shows the certificate of a proxy.
 * Source: behaviours 10.1.
 */
export function remoteUserHeaders(user: UserInfo): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'x-remote-user': utf8(user.name) };
  if (user.uid !== '') headers['x-remote-uid'] = utf8(user.uid);
  if (user.groups.length > 0) headers['x-remote-group'] = user.groups.map(utf8);
  for (const [key, values] of Object.entries(user.extra)) {
    headers[`x-remote-extra-${escapedKey(key)}`] = values.map(utf8);
  }
  return headers;
}

/** Header values travel as bytes, which Node takes as Latin-1. */
function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function escapedKey(key: string): string {
  let escaped = '';
  for (const byte of Buffer.from(key, 'utf8')) {
    const character = String.fromCharCode(byte);
    escaped += TOKEN.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
