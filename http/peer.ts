import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';
import type { Peer } from './message.ts';

/** Chains of certificates that were verified in full, by the fingerprint of the client's own. */
const chains = new Map<string, readonly string[]>();
const MAX_CHAINS = 10_000;

/** Who is at the other end of a connection; to be asked once per connection. */
export function peerOfSocket(socket: Socket): Peer {
  const address = socket.remoteAddress ?? '';
  if (socket instanceof TLSSocket && socket.authorized) {
    const certificate = socket.getPeerCertificate(true);
    // A resumed session without a certificate counts as authorized, too: its certificate is empty.
    if (Object.keys(certificate).length > 0) {
      return { address, certificate, issuers: issuersOf(certificate, socket.isSessionReused()) };
    }
  }
  return { address, certificate: undefined, issuers: [] };
}

/** A resumed session knows the client's certificate but not what came with it; the first one did. */
function issuersOf(certificate: DetailedPeerCertificate, isResumed: boolean): readonly string[] {
  const { fingerprint256 } = certificate;
  const known = isResumed ? chains.get(fingerprint256) : undefined;
  if (known !== undefined) return known;
  const issuers = issuersAbove(certificate);
  if (chains.size >= MAX_CHAINS) chains.clear();
  chains.set(fingerprint256, issuers);
  return issuers;
}

/**
 * Node builds the chain by names, from what the client sends. A client may send an
 * authority of its own making that bears the name of a real one. So an issuer
 * counts only when it has signed the certificate below it.
 */
function issuersAbove(certificate: DetailedPeerCertificate): string[] {
  const issuers: string[] = [];
  let below = certificate;
  let signed = new X509Certificate(below.raw);
  for (;;) {
    const issuer = below.issuerCertificate as DetailedPeerCertificate | undefined;
    // A root names itself as its issuer.
    if (issuer === undefined || issuer.fingerprint256 === below.fingerprint256) return issuers;
    const signer = new X509Certificate(issuer.raw);
    if (!signer.ca || !signed.verify(signer.publicKey)) return issuers;
    issuers.push(issuer.fingerprint256);
    [below, signed] = [issuer, signer];
  }
}
