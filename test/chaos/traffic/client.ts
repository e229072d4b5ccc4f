import type { Seeded } from '../../support/seeded.ts';
import { Http } from './http.ts';
import type { Choose } from './place.ts';
import type { Recorder } from './recorder.ts';

const TIMEOUT_MS = 8_000;

export interface ClientOptions {
  readonly random: Seeded;
  readonly choose: Choose;
  readonly recorder: Recorder;
}

/** One client of the cluster, which takes one turn after the other. */
export abstract class Client {
  protected readonly random: Seeded;
  protected readonly choose: Choose;
  protected readonly recorder: Recorder;
  protected readonly http = new Http(TIMEOUT_MS);
  readonly #pauseMs: number;

  /** @param pauseMs between two turns, at most */
  constructor({ random, choose, recorder }: ClientOptions, pauseMs: number) {
    this.random = random;
    this.choose = choose;
    this.recorder = recorder;
    this.#pauseMs = pauseMs;
  }

  /** Until the signal; what it saw is then in the recorder. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.turn(signal);
      await new Promise((resolve) => setTimeout(resolve, this.random.next() * this.#pauseMs));
    }
    this.http.close();
  }

  protected abstract turn(signal: AbortSignal): Promise<void>;
}
