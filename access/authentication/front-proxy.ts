import type { UserInfo } from '../../api/user.ts';
import { setOwn } from '../../api/json.ts';
import { headersWithPrefix, headerValues } from '../../http/header-values.ts';
import type { Peer } from '../../http/message.ts';
import { authenticated, type Authenticator, type Credentials } from './authenticator.ts';
import { commonNameOf } from './client-certificate.ts';

/** Which headers a proxy in front tells the user by, in lower case, and which proxies are believed. */
interface FrontProxyOptions {
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
  /** Common names of certificates; empty: every one that an authority for proxies has signed. */
  readonly allowedNames: readonly string[];
  /** Has an authority for proxies signed the certificate of the connection? */
  readonly isProxy: (peer: Peer) => boolean;
}

/**
 * A proxy in front that has found out who asks, and says so in headers. It is
 * believed only when it shows a certificate of an authority of its own.
 * Source: behaviours 10.1.
 */
export function frontProxy(options: FrontProxyOptions): Authenticator {
  return {
    name: 'front-proxy',
    authenticate(request) {
      if (!isBelieved(options, request.peer)) return undefined;
      const [name] = valuesOf(request, options.usernameHeaders);
      if (name === undefined) return undefined;
      return userOf(request, name, options);
    },
  };
}

function isBelieved({ isProxy, allowedNames }: FrontProxyOptions, peer: Peer): boolean {
  if (peer.certificate === undefined || !isProxy(peer)) return false;
  return allowedNames.length === 0 || allowedNames.includes(commonNameOf(peer) ?? '');
}

function userOf(request: Credentials, name: string, options: FrontProxyOptions): UserInfo {
  const extra: Record<string, string[]> = {};
  for (const prefix of options.extraPrefixes) {
    for (const [key, values] of headersWithPrefix(request, prefix)) {
      setOwn(extra, decodedKey(key), values);
    }
  }
  return authenticated({
    name,
    uid: valuesOf(request, options.uidHeaders)[0] ?? '',
    groups: valuesOf(request, options.groupHeaders),
    extra,
  });
}

function valuesOf(request: Credentials, names: readonly string[]): string[] {
  return names.flatMap((name) => headerValues(request, name)).filter((value) => value !== '');
}

/** Names of extra fields may be percent-encoded, since header names cannot hold every character. */
export function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
