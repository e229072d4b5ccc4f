import * as x509 from '@peculiar/x509';
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { SUPERUSERS } from '../../api/user.ts';
import type { RequestSpec } from '../../resources/certificates/request.ts';
import { serialNumber, type KeyPair } from '../pki/certificates.ts';
import { readSigningRequest } from './signing-request.ts';

/** Clocks of clients may be behind. */
const BACKDATE_MS = 5 * 60_000;
/** What a client that signs in may use its key for; the first is a must. */
const USAGES = ['client auth', 'digital signature', 'key encipherment'];

/** Issues certificates by which clients sign in at this API. */
export class ClientSigner {
  readonly #issuer: x509.X509Certificate;
  readonly #key: webcrypto.CryptoKey;
  readonly #maxSeconds: number;

  private constructor(issuer: x509.X509Certificate, key: webcrypto.CryptoKey, maxSeconds: number) {
    this.#issuer = issuer;
    this.#key = key;
    this.#maxSeconds = maxSeconds;
  }

  /**
   * `maxSeconds`: certificates last no longer, whatever is asked for.
   *
   * @throws Error when the authority is of a kind that cannot sign here
   */
  static async open({ certificate, key }: KeyPair, maxSeconds: number): Promise<ClientSigner> {
    const issuer = new x509.X509Certificate(certificate);
    return new ClientSigner(issuer, await signingKey(key), maxSeconds);
  }

  /**
   * The certificate for an approved request, as PEM. `now` in milliseconds.
   *
   * @throws Error that says why there can be none
   */
  async sign(spec: RequestSpec, now: number): Promise<string> {
    const { usages = [], expirationSeconds = this.#maxSeconds, request: asked } = spec;
    if (!usages.includes('client auth') || usages.some((usage) => !USAGES.includes(usage))) {
      throw new Error(`usages must be client auth, and may be ${USAGES.slice(1).join(' and ')}`);
    }
    const request = await readSigningRequest(asked ?? '');
    const issuer = this.#issuer;
    const seconds = Math.min(expirationSeconds, this.#maxSeconds);
    const end = Math.min(now + seconds * 1000, issuer.notAfter.getTime());
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: request.subjectName,
      issuer: issuer.subjectName,
      notBefore: new Date(now - BACKDATE_MS),
      notAfter: new Date(end),
      signingAlgorithm: { ...this.#key.algorithm, hash: 'SHA-256' },
      publicKey: request.publicKey,
      signingKey: this.#key,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(keyUsages(usages), true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(issuer),
      ],
    });
    const pem = certificate.toString('pem');
    refuseSuperuser(pem);
    return pem;
  }
}

function keyUsages(usages: readonly string[]): x509.KeyUsageFlags {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  if (!usages.includes('key encipherment')) return digitalSignature;
  if (!usages.includes('digital signature')) return keyEncipherment;
  return digitalSignature | keyEncipherment;
}

/** Read as authentication will read it: two parsers may see two groups in one subject. */
function refuseSuperuser(pem: string): void {
  const { subject } = new X509Certificate(pem).toLegacyObject();
  const { O: groups = [], CN: name = '' } = subject as { O?: string | string[]; CN?: string };
  if ([groups].flat().includes(SUPERUSERS))
    throw new Error(`the group ${SUPERUSERS} is not issued`);
  if (name === '')
    throw new Error('the subject must have a common name: it is the name of the user');
}

/** Curves as OpenSSL and as Web Crypto name them. */
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};

function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem);
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const curve = CURVES[namedCurve];
  if (key.asymmetricKeyType !== 'rsa' && curve === undefined) {
    throw new Error('the key of the signing authority must be RSA, P-256, P-384 or P-521');
  }
  const algorithm =
    curve === undefined
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: curve };
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
