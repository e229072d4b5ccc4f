import { tooManyRequests } from '../../api/api-error.ts';

/** Shorter bodies do not count. */
const MIN_COUNTED_BYTES = 64 * 1024;
/** Bytes of the bodies whose requests wait for other servers. */
const MAX_BYTES = 64 * 1024 * 1024;
/** And of those of one user. */
const MAX_BYTES_PER_USER = 16 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** A request that may wait for other servers, as often and as many at once as it likes. */
export interface Sender {
  readonly user: string;
  /** Of its body, as far as it has been read. */
  bytes: number;
  /** Calls that are under way. */
  calls: number;
  /** What counts while they are. */
  counted: number;
}

/**
 * Bounds the memory of requests that wait for webhooks and aggregated servers. They have given
 * their seats back, so that many can wait, and what was made of a body is a
 * multiple of it.
 */
export class BodiesAway {
  readonly #ofUsers = new Map<string, number>();
  #all = 0;

  /** @throws ApiError 429 (as rejection) when too much waits */
  async while<T>(sender: Sender, call: () => Promise<T>): Promise<T> {
    if (sender.calls === 0) this.#enter(sender);
    sender.calls++;
    try {
      return await call();
    } finally {
      if (--sender.calls === 0) this.#add(sender, -sender.counted);
    }
  }

  #enter(sender: Sender): void {
    const { user, bytes } = sender;
    sender.counted = bytes < MIN_COUNTED_BYTES ? 0 : bytes;
    if (sender.counted === 0) return;
    const ofUser = this.#ofUsers.get(user) ?? 0;
    if (this.#all + bytes > MAX_BYTES || ofUser + bytes > MAX_BYTES_PER_USER) {
      throw tooManyRequests(
        'too many large requests wait for webhooks or other servers, please try again later',
        RETRY_AFTER_SECONDS,
      );
    }
    this.#add(sender, bytes);
  }

  #add({ user }: Sender, bytes: number): void {
    this.#all += bytes;
    const left = (this.#ofUsers.get(user) ?? 0) + bytes;
    if (left > 0) this.#ofUsers.set(user, left);
    else this.#ofUsers.delete(user);
  }
}
