import type { UserInfo } from '../../api/user.ts';
import type { Peer } from '../../http/message.ts';
import { authenticated, type Authenticator } from './authenticator.ts';

/** X.520 unique identifier as kube-apiserver carries a uid in a certificate (behaviours 10.1). */
const UID_OID = '1.3.6.1.4.1.57683.2';

/**
 * The verified certificate of the connection: the user is its common name, the
 * groups its organizations. `isTrusted` says whether an authority vouches for
 * clients: others vouch for proxies only.
 */
export function clientCertificate(isTrusted: (peer: Peer) => boolean): Authenticator {
  // A connection has one certificate for life, and many requests.
  const users = new WeakMap<Peer, UserInfo>();
  return {
    name: 'x509',
    authenticate({ peer }) {
      // Checked for each request, so that removing an authority also cuts existing connections.
      if (peer.certificate === undefined || !isTrusted(peer)) return undefined;
      const known = users.get(peer);
      if (known !== undefined) return known;
      const user = userOf(peer);
      if (user !== undefined) users.set(peer, user);
      return user;
    },
  };
}

function userOf(peer: Peer): UserInfo | undefined {
  const name = commonNameOf(peer);
  if (name === undefined || name === '') return undefined;
  const subject = subjectOf(peer);
  const uid = subject?.[UID_OID];
  return authenticated({
    name,
    uid: typeof uid === 'string' ? uid : '',
    groups: [subject?.O ?? []].flat(),
    extra: {},
  });
}

/** The last one, where there are several. */
export function commonNameOf(peer: Peer): string | undefined {
  return [subjectOf(peer)?.CN ?? []].flat().at(-1);
}

/** Node types the subject's fields as text; several of one kind come as a list. */
function subjectOf({ certificate }: Peer): Record<string, string | string[]> | undefined {
  return certificate?.subject as Record<string, string | string[]> | undefined;
}
