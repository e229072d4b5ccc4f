import { createHmac, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { parseLargeJson } from '../../api/json-parse.ts';
import { endpointOfUrl } from '../../outbound/endpoint.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { sha256 } from './session-seal.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;
/** Bytes of what binds a sign-in to its browser. */
const SECRET_BYTES = 32;
/** Characters of the issuer's code. */
const MAX_CODE_LENGTH = 4_096;

/** The client that the console is at the issuer. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  readonly scopes: readonly string[];
  /** PEM; undefined: the authorities of the system. */
  readonly authorities: string | undefined;
}

/** Why a sign-in has failed. */
class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal';
}

/** What a browser brings back from the issuer. */
interface OidcAnswer {
  /** From the cookie; empty without one. */
  readonly binding: string;
  /** The same as at the beginning. */
  readonly redirectUri: string;
  readonly state: string;
  readonly code: string;
}

interface OidcSignInOptions {
  readonly client: OidcClient;
  readonly https: HttpsClient;
}

/**
 * Signs in at an issuer: the authorization code flow with PKCE, state and nonce. All
 * three come from a secret that the browser keeps meanwhile, so that the sign-in may
 * begin on one server and finish on another. The issuer takes each code once.
 */
export class OidcSignIn {
  readonly #options: OidcSignInOptions;

  constructor(options: OidcSignInOptions) {
    this.#options = options;
  }

  /**
   * Begins a sign-in: where the browser goes, and what it has to bring back in a cookie.
   *
   * @throws Error when the issuer cannot be asked
   */
  async begin(redirectUri: string): Promise<{ location: string; binding: string }> {
    const { issuer, clientId, scopes } = this.#options.client;
    const place = new URL(textOf(await this.#discovered(), 'authorization_endpoint'));
    if (place.protocol !== 'https:') throw new OidcRefusal(`${issuer} names no https page`);
    const binding = randomBytes(SECRET_BYTES).toString('base64url');
    const query = {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri },
      ...{ scope: scopes.join(' ') },
      ...{ state: derived(binding, 'state'), nonce: derived(binding, 'nonce') },
      ...{ code_challenge: sha256(derived(binding, 'verifier')), code_challenge_method: 'S256' },
    };
    for (const [name, value] of Object.entries(query)) place.searchParams.set(name, value);
    return { location: place.href, binding };
  }

  /**
   * The ID token of a sign-in that the issuer has answered; its signature is still to be checked.
   *
   * @throws OidcRefusal, or Error when the issuer cannot be asked
   */
  async finish({ binding, redirectUri, state, code }: OidcAnswer): Promise<string> {
    if (binding === '') throw new OidcRefusal('this browser has begun no sign-in');
    if (sha256(state) !== sha256(derived(binding, 'state'))) {
      throw new OidcRefusal('the state is another one');
    }
    if (code === '' || code.length > MAX_CODE_LENGTH) throw new OidcRefusal('there is no code');
    const token = await this.#exchange(code, redirectUri, derived(binding, 'verifier'));
    if (decodeJwt(token).nonce !== derived(binding, 'nonce')) {
      throw new OidcRefusal('the token is not of this sign-in');
    }
    return token;
  }

  async #exchange(code: string, redirectUri: string, verifier: string): Promise<string> {
    const { clientId, clientSecret } = this.#options.client;
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      ...{ client_id: clientId, code_verifier: verifier },
    });
    const basic =
      clientSecret === undefined
        ? {}
        : { authorization: `Basic ${basicOf(clientId, clientSecret)}` };
    const place = textOf(await this.#discovered(), 'token_endpoint');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basic };
    return textOf(await this.#ask('POST', place, headers, form.toString()), 'id_token');
  }

  async #discovered(): Promise<JsonObject> {
    const { issuer } = this.#options.client;
    const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.#ask('GET', place, {});
    if (getOwn(document, 'issuer') !== issuer) {
      throw new OidcRefusal(`the discovery document is not that of ${issuer}`);
    }
    return document;
  }

  async #ask(
    method: string,
    place: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<JsonObject> {
    const endpoint = endpointOfUrl(place, this.#options.client.authorities);
    const answer = await this.#options.https.call({
      ...{ endpoint, method, path: endpoint.path, timeoutMs: TIMEOUT_MS },
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (answer.status !== 200) throw new OidcRefusal(`${place} answered ${answer.status}`);
    const { value } = await parseLargeJson(answer.body.toString('utf8'));
    if (!isObject(value)) throw new OidcRefusal(`${place} did not return a JSON object`);
    return value;
  }
}

/** One of the values of a sign-in, which tells nothing of the secret or of the others. */
function derived(binding: string, value: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', binding).update(value).digest('base64url');
}

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
function basicOf(id: string, password: string): string {
  return Buffer.from([id, password].map(encodeURIComponent).join(':')).toString('base64');
}

/** @throws OidcRefusal */
function textOf(document: JsonObject, name: string): string {
  const value = getOwn(document, name);
  if (typeof value !== 'string') throw new OidcRefusal(`the issuer does not say its ${name}`);
  return value;
}
