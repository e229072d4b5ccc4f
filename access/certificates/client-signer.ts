import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { SUPERUSERS } from '../../api/user.ts';
import type { RequestSpec } from '../../resources/certificates/request.ts';
import type { KeyPair } from '../pki/certificates.ts';

/** What a client that signs in may use its key for; the first is a must. */
const USAGES = ['client auth', 'digital signature', 'key encipherment'];

/** Issues certificates by which clients sign in at this API. */
export class ClientSigner {
  readonly #certificate: string;
  readonly #key: webcrypto.CryptoKey;
  readonly #maxSeconds: number;

  private constructor(certificate: string, key: webcrypto.CryptoKey, maxSeconds: number) {
    this.#certificate = certificate;
    this.#key = key;
    this.#maxSeconds = maxSeconds;
  }

  /**
   * `maxSeconds`: certificates last no longer, whatever is asked for.
   *
   * @throws Error when the authority is of a kind that cannot sign here
   */
  static async open({ certificate, key }: KeyPair, maxSeconds: number): Promise<ClientSigner> {
    // What is not a certificate stops the start and not the first request.
    const pem = new X509Certificate(certificate).toString();
    return new ClientSigner(pem, await signingKey(key), maxSeconds);
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
    const { issueToClient } = await import('./issue-to-client.ts');
    const seconds = Math.min(expirationSeconds, this.#maxSeconds);
    const pem = await issueToClient(
      { certificate: this.#certificate, key: this.#key },
      { request: asked ?? '', usages, now, seconds },
    );
    refuseSuperuser(pem);
    return pem;
  }
}

/** Read as authentication will read it: two parsers may see two groups in one subject. */
function refuseSuperuser(pem: string): void {
  const { subject } = new X509Certificate(pem).toLegacyObject();
  const { O: groups = [], CN: name = '' } = subject as { O?: string | string[]; CN?: string };
  if ([groups].flat().includes(SUPERUSERS))
    throw new Error(`certificates for the group ${SUPERUSERS} are not issued`);
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
