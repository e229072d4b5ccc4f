/**
 * Requests that go on for long, watches above all: so many may be open, and one
 * user may have three quarters of them.
 */
export class Streams {
  readonly #limit: number;
  readonly #perUser: number;
  readonly #open = new Map<string, number>();
  #total = 0;

  /** `limit` 0: as many as come. */
  constructor(limit: number, isFair: boolean) {
    this.#limit = limit === 0 ? Infinity : limit;
    const reserve = isFair && this.#limit !== Infinity ? Math.ceil(this.#limit / 4) : 0;
    this.#perUser = Math.max(1, this.#limit - reserve);
  }

  hasRoom(user: string): boolean {
    return this.#total < this.#limit && (this.#open.get(user) ?? 0) < this.#perUser;
  }

  enter(user: string): void {
    this.#total++;
    this.#open.set(user, (this.#open.get(user) ?? 0) + 1);
  }

  leave(user: string): void {
    this.#total--;
    const left = (this.#open.get(user) ?? 0) - 1;
    if (left > 0) this.#open.set(user, left);
    else this.#open.delete(user);
  }
}
