import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Clock } from '../../api/clock.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { parseJson } from '../../api/json-parse.ts';
import { endpointOfUrl } from '../../outbound/endpoint.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';

/** Milliseconds that a person has for signing in at the issuer. */
const PENDING_MS = 10 * 60 * 1000;
/** Sign-ins under way; the oldest is given up first. */
const MAX_PENDING = 1_000;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;
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

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** Monotonic milliseconds. */
  readonly endsAt: number;
}

/** Why a sign-in has failed. */
class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal';
}

interface OidcSignInOptions {
  readonly client: OidcClient;
  readonly https: HttpsClient;
  readonly clock: Clock;
}

/** Signs in at an issuer: the authorization code flow with PKCE, state and nonce. */
export class OidcSignIn {
  readonly #options: OidcSignInOptions;
  /** By the hash of what binds a sign-in to its browser. */
  readonly #pending = new Map<string, Pending>();

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
    const [binding, state, nonce, verifier] = [secret(), secret(), secret(), secret()];
    const endsAt = this.#options.clock.monotonic() + PENDING_MS;
    this.#pending.set(sha256(binding), { state, nonce, verifier, redirectUri, endsAt });
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= MAX_PENDING) break;
      this.#pending.delete(oldest);
    }
    const query = {
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri },
      ...{ scope: scopes.join(' '), state, nonce },
      ...{ code_challenge: sha256(verifier), code_challenge_method: 'S256' },
    };
    for (const [name, value] of Object.entries(query)) place.searchParams.set(name, value);
    return { location: place.href, binding };
  }

  /**
   * The ID token of a sign-in that the issuer has answered; its signature is still to be checked.
   *
   * @param binding what the browser has brought back; each counts once
   * @throws OidcRefusal, or Error when the issuer cannot be asked
   */
  async finish(binding: string, state: string, code: string): Promise<string> {
    const key = sha256(binding);
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    if (pending === undefined || this.#options.clock.monotonic() >= pending.endsAt) {
      throw new OidcRefusal('there is no such sign-in, or it took too long');
    }
    if (sha256(state) !== sha256(pending.state)) throw new OidcRefusal('the state is another one');
    if (code === '' || code.length > MAX_CODE_LENGTH) throw new OidcRefusal('there is no code');
    const token = await this.#exchange(code, pending);
    if (decodeJwt(token).nonce !== pending.nonce) {
      throw new OidcRefusal('the token is not of this sign-in');
    }
    return token;
  }

  async #exchange(code: string, { redirectUri, verifier }: Pending): Promise<string> {
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
    const { value } = parseJson(answer.body.toString('utf8'));
    if (!isObject(value)) throw new OidcRefusal(`${place} did not return a JSON object`);
    return value;
  }
}

const SECRET_BYTES = 32;
const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

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
