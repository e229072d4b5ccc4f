import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { HttpsClient } from '../../../outbound/https-client.ts';
import { endpointOfUrl } from '../../../outbound/endpoint.ts';
import type { Clock } from '../../../api/clock.ts';
import { getOwn, isObject, type JsonObject } from '../../../api/json.ts';
import { parseLargeJson } from '../../../api/json-parse.ts';
import type { IssuerConfiguration } from './configuration.ts';

/** Keys are fetched again after this, in case one was withdrawn. */
export const KEYS_MAX_AGE_MS = 10 * 60_000;
/** A token with an unknown key makes this server look again, but not more often. */
export const KEYS_MIN_AGE_MS = 10_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Fields of such a document, and objects and lists: a key has about ten. */
const MAX_FIELDS = 10_000;

interface Keys {
  readonly find: JWTVerifyGetKey;
  /** Monotonic milliseconds. */
  readonly fetchedAt: number;
}

/**
 * The public keys of an issuer, found by its discovery document and kept. While
 * the issuer cannot be reached, the keys that are known stay in use.
 */
export class KeySet {
  readonly #issuer: IssuerConfiguration;
  readonly #client: HttpsClient;
  readonly #clock: Clock;
  #keys: Keys | undefined;
  #fetching: Promise<Keys> | undefined;
  #triedAt = -Infinity;

  constructor(issuer: IssuerConfiguration, client: HttpsClient, clock: Clock) {
    this.#issuer = issuer;
    this.#client = client;
    this.#clock = clock;
  }

  /** For `jwtVerify`: the key that a token names. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.#current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#newerThan(keys);
      if (newer === keys) throw error;
      return newer.find(header, token);
    }
  };

  /** Asks the issuer again, unless it is too early for that; true when there are newer keys. */
  async renew(): Promise<boolean> {
    const keys = this.#keys;
    return keys !== undefined && (await this.#newerThan(keys)) !== keys;
  }

  async #current(): Promise<Keys> {
    const keys = this.#keys;
    if (keys === undefined) return this.#fetch();
    if (this.#clock.monotonic() - keys.fetchedAt < KEYS_MAX_AGE_MS) return keys;
    return this.#newerThan(keys);
  }

  /** The same keys when it is too early to ask again, or the issuer does not answer. */
  async #newerThan(keys: Keys): Promise<Keys> {
    if (this.#keys !== undefined && this.#keys !== keys) return this.#keys;
    const now = this.#clock.monotonic();
    if (this.#fetching === undefined && now - this.#triedAt < KEYS_MIN_AGE_MS) return keys;
    try {
      return await this.#fetch();
    } catch {
      return keys;
    }
  }

  /** One fetch at a time: all that wait for it get the same keys. */
  #fetch(): Promise<Keys> {
    this.#triedAt = this.#clock.monotonic();
    this.#fetching ??= this.#load()
      .then((keys) => (this.#keys = keys))
      .finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #load(): Promise<Keys> {
    const { url, discoveryURL } = this.#issuer;
    const document = await this.#get(
      discoveryURL ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`,
    );
    if (getOwn(document, 'issuer') !== url) {
      throw new Error(`the discovery document names another issuer than ${url}`);
    }
    const place = getOwn(document, 'jwks_uri');
    if (typeof place !== 'string')
      throw new Error(`the discovery document of ${url} has no valid jwks_uri`);
    const keys = await this.#get(place);
    const find = createLocalJWKSet(keys as unknown as JSONWebKeySet);
    return { find, fetchedAt: this.#clock.monotonic() };
  }

  async #get(place: string): Promise<JsonObject> {
    const endpoint = endpointOfUrl(place, this.#issuer.certificateAuthority);
    const answer = await this.#client.call({
      endpoint,
      method: 'GET',
      path: endpoint.path,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.status !== 200) throw new Error(`${place} answered ${answer.status}`);
    const text = answer.body.toString('utf8');
    const { value } = await parseLargeJson(text, { maxFields: MAX_FIELDS });
    if (!isObject(value)) throw new Error(`${place} did not return a JSON object`);
    return value;
  }
}
