import type { CancelSignal } from '../../api/cancel-signal.ts';
import { sleep, type Clock } from '../../api/clock.ts';
import type { Authenticator } from './authenticator.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient, WatchConnection, WatchHandlers } from './client.ts';
import type { Method, Methods } from './wire.ts';

/** Rounds over all members before a call is given up; the pauses between them add up to 1.5 s. */
const MAX_ROUNDS = 6;
const FIRST_PAUSE_MS = 50;
/** Tokens that one call asks for; more would be a password that is taken and a token that is not. */
const MAX_RENEWALS = 2;
/** With other members at hand a silent one is left sooner than the call's own deadline. */
const ATTEMPT_MS = 2_000;

interface CallLimits {
  timeoutMs: number;
  signal?: CancelSignal | undefined;
}

/**
 * The members of one etcd cluster behind one face: calls go to one member for
 * as long as it answers, then to the next.
 */
export class Cluster {
  readonly clients: readonly EtcdClient[];
  readonly #auth: Authenticator;
  readonly #clock: Clock;
  #preferred = 0;

  constructor(clients: readonly EtcdClient[], auth: Authenticator, clock: Clock) {
    this.clients = clients;
    this.#auth = auth;
    this.#clock = clock;
  }

  get current(): EtcdClient {
    const client = this.clients[this.#preferred % this.clients.length];
    if (client === undefined) throw new Error('a cluster has at least one member');
    return client;
  }

  /** Of all members, those first that are asked first. */
  get endpoints(): string[] {
    const first = this.#preferred % this.clients.length;
    const inTurn = [...this.clients.slice(first), ...this.clients.slice(0, first)];
    return inTurn.map(({ endpoint }) => endpoint);
  }

  /** Prefers another member than `failed`; does nothing when another member is preferred already. */
  moveOn(failed: EtcdClient): void {
    if (this.current === failed) this.#preferred = (this.#preferred + 1) % this.clients.length;
  }

  /**
   * A call that may be executed any number of times: repeated on other members
   * when one fails.
   *
   * @throws EtcdCallError
   */
  read<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    limits: CallLimits,
  ): Promise<Methods[M]['response']> {
    return this.#call(method, request, limits, true);
  }

  /**
   * A call that may be executed once only: repeated where it certainly was not
   * executed; `lost` and `deadline` come back to the caller, who has to find out.
   *
   * @throws EtcdCallError
   */
  write<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    limits: CallLimits,
  ): Promise<Methods[M]['response']> {
    return this.#call(method, request, limits, false);
  }

  /** @throws EtcdCallError when no token can be obtained */
  async watch(client: EtcdClient, handlers: WatchHandlers): Promise<WatchConnection> {
    if (!this.#auth.ready) await this.#auth.renew(client, undefined);
    return client.watch(handlers, this.#auth.token);
  }

  /** Asks one member, and no other, about itself. */
  async status(client: EtcdClient, timeoutMs: number): Promise<Methods['status']['response']> {
    if (!this.#auth.ready) await this.#auth.renew(client, undefined);
    return client.call('status', undefined, { timeoutMs, token: this.#auth.token });
  }

  /** After a watch was refused: gets a new token for the next one. */
  async renewToken(client: EtcdClient): Promise<void> {
    await this.#auth.renew(client, this.#auth.token);
  }

  close(): void {
    for (const client of this.clients) client.close();
  }

  async #call<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    { timeoutMs, signal }: CallLimits,
    repeatable: boolean,
  ): Promise<Methods[M]['response']> {
    const deadline = this.#clock.monotonic() + timeoutMs;
    const short = repeatable && this.clients.length > 1;
    let renewals = 0;
    let stale: string | undefined;
    for (let attempt = 1; ; attempt++) {
      const client = this.current;
      const left = Math.max(1, deadline - this.#clock.monotonic());
      let token: string | undefined;
      try {
        if (!this.#auth.ready || renewals > 0) await this.#auth.renew(client, stale);
        token = this.#auth.token;
        const attemptMs = short ? Math.min(left, ATTEMPT_MS) : left;
        return await client.call(method, request, { timeoutMs: attemptMs, token, signal });
      } catch (error) {
        if (!(error instanceof EtcdCallError)) throw error;
        if (error.failure === 'token' && this.#auth.enabled && renewals < MAX_RENEWALS) {
          renewals++;
          stale = token;
          continue;
        }
        this.#giveUpOrMoveOn(error, client, repeatable);
        await this.#pause(attempt, deadline, error, signal);
      }
    }
  }

  #giveUpOrMoveOn(error: EtcdCallError, client: EtcdClient, repeatable: boolean): void {
    const unanswered = error.failure === 'lost' || error.failure === 'deadline';
    if (error.failure !== 'refused' && !unanswered) throw error;
    this.moveOn(client);
    if (unanswered && !repeatable) throw error;
  }

  /** Goes straight to the next member, and waits a little after every round over all of them. */
  async #pause(
    attempt: number,
    deadline: number,
    error: EtcdCallError,
    signal: CancelSignal | undefined,
  ): Promise<void> {
    const rounds = Math.floor(attempt / this.clients.length);
    if (rounds >= MAX_ROUNDS) throw error;
    const endOfRound = attempt % this.clients.length === 0;
    const pauseMs = endOfRound ? FIRST_PAUSE_MS * 2 ** (rounds - 1) : 0;
    if (this.#clock.monotonic() + pauseMs >= deadline) throw error;
    if (pauseMs === 0) return;
    await sleep(this.#clock, pauseMs, signal).catch((reason: unknown) => {
      throw new EtcdCallError('cancelled', 'the request was cancelled', reason);
    });
  }
}
