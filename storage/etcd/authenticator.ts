import { EtcdCallError } from './call-error.ts';
import type { EtcdClient } from './client.ts';

export interface Credentials {
  username: string;
  password: string;
}

const AUTHENTICATE_TIMEOUT_MS = 5_000;
const AUTH_IS_OFF = 'authentication is not enabled';

/**
 * Holds the token that etcd gives for a password. Tokens end with etcd's
 * restart, with every change of etcd's users, and by themselves after some
 * minutes; a call that is refused because of that asks for a new one.
 */
export class Authenticator {
  readonly #credentials: Credentials | undefined;
  #token: string | undefined;
  #known = false;
  #renewal: Promise<void> | undefined;

  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
    this.#known = credentials === undefined;
  }

  get enabled(): boolean {
    return this.#credentials !== undefined;
  }
  /** True when there is nothing to wait for before a call. */
  get ready(): boolean {
    return this.#known;
  }
  get token(): string | undefined {
    return this.#token;
  }

  /**
   * Gets a new token, unless another call has replaced `stale` already.
   *
   * @throws EtcdCallError
   */
  async renew(client: EtcdClient, stale: string | undefined): Promise<void> {
    if (this.#known && this.#token !== stale) return;
    this.#renewal ??= this.#authenticate(client).finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  async #authenticate(client: EtcdClient): Promise<void> {
    if (this.#credentials === undefined) return;
    const { username: name, password } = this.#credentials;
    try {
      const options = { timeoutMs: AUTHENTICATE_TIMEOUT_MS };
      const { token } = await client.call('authenticate', { name, password }, options);
      this.#token = token;
    } catch (error) {
      if (!(error instanceof EtcdCallError)) throw error;
      // Whatever became of the authentication: the call that waits for it was not sent.
      const silent = error.failure === 'lost' || error.failure === 'deadline';
      if (silent) throw new EtcdCallError('refused', error.message, error);
      if (!error.message.includes(AUTH_IS_OFF)) throw error;
      this.#token = undefined;
    }
    this.#known = true;
  }
}
