import {
  jsonResponse,
  textResponse,
  type ApiRequest,
  type ApiResponse,
} from '../../http/message.ts';
import type { KeyRing } from './signing-keys.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

interface IssuerDocumentsOptions {
  readonly issuer: string;
  readonly keys: () => KeyRing;
  /** `host:port` by which clients reach this server. */
  readonly serverAddress: () => string;
}

/** What other programs need to check tokens of service accounts. Source: OpenID Connect Discovery 1.0. */
export class IssuerDocuments {
  readonly #options: IssuerDocumentsOptions;

  constructor(options: IssuerDocumentsOptions) {
    this.#options = options;
  }

  paths(): string[] {
    return [CONFIGURATION, KEYS];
  }

  handle({ rawPath, method }: ApiRequest): ApiResponse | undefined {
    if (rawPath !== CONFIGURATION && rawPath !== KEYS) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return textResponse(405, '405: Method Not Allowed');
    const { issuer, keys, serverAddress } = this.#options;
    const { published, algorithms } = keys();
    if (rawPath === KEYS) {
      return jsonResponse(200, published, { 'content-type': 'application/jwk-set+json' });
    }
    return jsonResponse(200, {
      issuer,
      jwks_uri: `https://${serverAddress()}${KEYS}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
    });
  }
}
