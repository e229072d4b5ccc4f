import { UndecidedCredential } from './authenticator.ts';

/** Tokens that wait for one other server at once, and their characters together: it is not known yet who sent them. */
const MAX_WAITING = 4_000;
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** Bounds what waits for another server that has to say whose tokens they are. */
export class WaitingTokens {
  #tokens = 0;
  #characters = 0;

  /**
   * What `ask` says of a token.
   *
   * @throws UndecidedCredential when too many wait already
   */
  async while<T>({ length }: string, ask: () => T | Promise<T>): Promise<T> {
    if (this.#tokens >= MAX_WAITING || this.#characters + length > MAX_WAITING_CHARACTERS) {
      throw new UndecidedCredential('too many tokens wait for the server that knows them');
    }
    this.#tokens++;
    this.#characters += length;
    try {
      return await ask();
    } finally {
      this.#tokens--;
      this.#characters -= length;
    }
  }
}
