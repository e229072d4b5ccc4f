import { IpAddress } from '../../api/ip.ts';

/**
 * An absolute URI or an absolute path, as a request line may have it.
 * Source: Go's url.ParseRequestURI, which kube-apiserver calls: no part is cut
 * off as a fragment, escapes must be whole, the host may hold what is not ASCII.
 */
export function isUri(text: string): boolean {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  const scheme = SCHEME.exec(text);
  if (scheme === null && text.startsWith(':')) return false;
  const rest = scheme === null ? text : text.slice(scheme[0].length);
  if (!rest.startsWith('/')) return scheme !== null; // mailto:a@b, http:
  const beforeQuery = untilFirst(rest, '?');
  if (scheme === null || !rest.startsWith('//')) return hasWholeEscapes(beforeQuery);
  const authority = untilFirst(beforeQuery.slice(2), '/');
  return isAuthority(authority) && hasWholeEscapes(beforeQuery.slice(2 + authority.length));
}

// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROL = /[\x00-\x1f\x7f]/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** ASCII that a host may have besides escapes; anything beyond ASCII is fine. */
const HOST = /^(?:[A-Za-z0-9!$&'()*+,;=[\]<>"\-_.~]|[^\x00-\x7f]|%25|%[89A-Fa-f][0-9A-Fa-f])*$/; // oxlint-disable-line no-control-regex
const PORT = /^(?::\d*)?$/;
const BRACKETED = /^\[([^\]]*)\](.*)$/;
/** A zone in an IPv6 host: its percent sign is escaped. */
const ZONE = /%25(?:[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~]|%[0-9A-Fa-f]{2})*$/;

function untilFirst(text: string, separator: string): string {
  const end = text.indexOf(separator);
  return end < 0 ? text : text.slice(0, end);
}

function hasWholeEscapes(text: string): boolean {
  return !/%(?![0-9A-Fa-f]{2})/.test(text);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const userinfo = at < 0 ? '' : authority.slice(0, at);
  return USERINFO.test(userinfo) && hasWholeEscapes(userinfo) && isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  const bracketed = BRACKETED.exec(host);
  if (bracketed !== null) {
    const [, address = '', port = ''] = bracketed;
    return PORT.test(port) && IpAddress.parse(address.replace(ZONE, ''))?.family === 6;
  }
  if (host.startsWith('[')) return false;
  const colon = host.indexOf(':');
  const name = colon < 0 ? host : host.slice(0, colon);
  return HOST.test(name) && (colon < 0 || PORT.test(host.slice(colon)));
}
