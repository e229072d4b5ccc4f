import type { Seeded } from '../../support/seeded.ts';
import type { View } from '../checker/history.ts';
import { FollowedView } from './followed-view.ts';
import { Http } from './http.ts';
import { COLLECTION, queryOf, type Choose } from './place.ts';
import type { Recorder } from './recorder.ts';

const TIMEOUT_MS = 8_000;
const RETRY_MS = 100;
const GONE = 410;

/**
 * One watcher, as an informer is one: lists, watches from there, resumes from
 * the last revision that it has seen wherever it is sent next, and lists again
 * only when it is told that history is gone.
 */
export class Observer {
  readonly views: readonly [FollowedView];
  readonly #random: Seeded;
  readonly #choose: Choose;
  readonly #recorder: Recorder;
  readonly #http = new Http(TIMEOUT_MS);

  constructor(
    name: string,
    view: View,
    options: { random: Seeded; choose: Choose; recorder: Recorder },
  ) {
    this.#random = options.random;
    this.#choose = options.choose;
    this.#recorder = options.recorder;
    this.views = [new FollowedView(name, view, options.recorder)];
  }

  /** Until the signal; what it saw is then in the recorder. */
  async run(signal: AbortSignal): Promise<void> {
    const [followed] = this.views;
    while (!signal.aborted) {
      await followed.list(this.#http, this.#choose());
      if (followed.isListed) await this.#watch(followed, signal);
      await new Promise((resolve) => setTimeout(resolve, this.#random.next() * RETRY_MS));
    }
    this.#http.close();
    followed.finish();
  }

  async #watch(followed: FollowedView, signal: AbortSignal): Promise<void> {
    const seconds = 3 + this.#random.below(20);
    const options = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}`;
    const query = `${queryOf(followed.view)}&${options}&resourceVersion=${followed.revision}`;
    const { status } = await this.#http.stream(
      `${this.#choose()}${COLLECTION}?${query}`,
      (frame) => {
        if (frame.type !== 'ERROR') followed.onFrame(frame);
        else {
          if (frame.object.code === GONE) followed.isListed = false;
          this.#recorder.count(`watch error ${frame.object.code}`);
        }
      },
      signal,
    );
    this.#recorder.count(`watch ${status === 0 ? 'no answer' : status}`);
    if (status === GONE) followed.isListed = false;
  }
}
