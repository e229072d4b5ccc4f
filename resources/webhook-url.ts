/** A URL taken apart the way that the clients of webhooks do it. */
interface ParsedUrl {
  /** In lower case; empty when there is none. */
  readonly scheme: string;
  /** With the port; empty when there is none. */
  readonly host: string;
  /** `user:password`; undefined when there is no `@`. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

type UrlResult = ParsedUrl | { readonly error: string };

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/s;
const PORT = /^(?::\d*)?$/;
/** A character that a host holds only escaped; those outside ASCII may stand as they are. */
const BAD_HOST_CHARACTER = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u;
const USER_INFO = /^[A-Za-z0-9\-._~!$&'()*+,;=:%@]*$/;

/**
 * Parses a URL. Stricter than `new URL`, which repairs what it can: this one
 * refuses bad ports, escapes and hosts. Source: Go's net/url, Parse.
 */
export function parseUrl(text: string): UrlResult {
  const controlCharacter = Array.from(text).find((c) => c < ' ' || c === '\u007f');
  if (controlCharacter !== undefined) return { error: 'invalid control character in URL' };
  const [beforeFragment, fragment] = cutAt(text, '#');
  const [beforeQuery, query] = cutAt(beforeFragment, '?');
  const scheme = SCHEME.exec(beforeQuery)?.[1] ?? '';
  if (beforeQuery.startsWith(':')) return { error: 'missing protocol scheme' };
  const rest = scheme === '' ? beforeQuery : beforeQuery.slice(scheme.length + 1);
  const parts = { scheme: scheme.toLowerCase(), host: '', user: undefined, query, fragment };
  // `https:example.com` has no host: what follows is opaque
  if (scheme !== '' && !rest.startsWith('/')) return parts;
  if (scheme === '' && /^[^/]*:/.test(rest)) {
    return { error: 'first path segment in URL cannot contain colon' };
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) {
    return badEscape(rest) ?? badEscape(fragment) ?? parts;
  }
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return (
    authorityError(authority) ??
    badEscape(path) ??
    badEscape(fragment) ?? {
      ...parts,
      ...splitAuthority(authority),
    }
  );
}

function cutAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAuthority(authority: string): { host: string; user: string | undefined } {
  const at = authority.lastIndexOf('@');
  return {
    host: authority.slice(at + 1),
    user: at < 0 ? undefined : authority.slice(0, at),
  };
}

function authorityError(authority: string): { error: string } | undefined {
  const { host, user = '' } = splitAuthority(authority);
  if (!USER_INFO.test(user)) return { error: 'invalid userinfo' };
  let end = host.lastIndexOf(':');
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) return { error: "missing ']' in host" };
    end = close + 1;
  }
  const port = end < 0 ? '' : host.slice(end);
  if (!PORT.test(port)) return { error: `invalid port ${JSON.stringify(port)} after host` };
  const bad = BAD_HOST_CHARACTER.exec(host)?.[0];
  if (bad !== undefined) return { error: `invalid character ${JSON.stringify(bad)} in host name` };
  return badEscape(host) ?? badEscape(user);
}

function badEscape(text: string): { error: string } | undefined {
  const escape = BAD_ESCAPE.exec(text)?.[0];
  return escape === undefined
    ? undefined
    : { error: `invalid URL escape ${JSON.stringify(escape)}` };
}
