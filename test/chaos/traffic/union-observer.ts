import type { Seeded } from '../../support/seeded.ts';
import type { View } from '../checker/history.ts';
import { FollowedView } from './followed-view.ts';
import { Http } from './http.ts';
import { NAMESPACE, parametersOf, RESOURCE, UNION, type Choose } from './place.ts';
import type { Recorder } from './recorder.ts';

const TIMEOUT_MS = 8_000;
const RETRY_MS = 100;
const GONE = 410;

/**
 * One stream with several subscriptions. Each goes on behind what it has seen
 * itself: two of them may show the same change, and a cut may lie between.
 */
export class UnionObserver {
  readonly views: readonly FollowedView[];
  readonly #name: string;
  readonly #random: Seeded;
  readonly #choose: Choose;
  readonly #recorder: Recorder;
  readonly #http = new Http(TIMEOUT_MS);

  constructor(
    name: string,
    views: readonly View[],
    options: { random: Seeded; choose: Choose; recorder: Recorder },
  ) {
    this.#name = name;
    this.#random = options.random;
    this.#choose = options.choose;
    this.#recorder = options.recorder;
    this.views = views.map((view, i) => new FollowedView(`${name}/${i}`, view, options.recorder));
  }

  /** Until the signal; what it saw is then in the recorder. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const followed of this.views) await followed.list(this.#http, this.#choose());
      if (this.views.every(({ isListed }) => isListed)) await this.#watch(signal);
      await new Promise((resolve) => setTimeout(resolve, this.#random.next() * RETRY_MS));
    }
    this.#http.close();
    for (const followed of this.views) followed.finish();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const subscriptions = this.views.map(({ view, revision }, i) => {
      const asked = Object.fromEntries(parametersOf(view));
      const resourceVersion = String(revision);
      return { id: String(i), resource: RESOURCE, namespace: NAMESPACE, ...asked, resourceVersion };
    });
    const revisions: bigint[] = [];
    this.#recorder.unions.push({ client: this.#name, revisions });
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal.addEventListener('abort', stop);
    const { status } = await this.#http.stream(
      `${this.#choose()}${UNION}`,
      ({ id, type, object }) => {
        const meant = id === undefined ? this.views : [this.views[Number(id)]!];
        if (type === 'ERROR') {
          this.#recorder.count(`union error ${object.code}`);
          if (object.code === GONE) for (const followed of meant) followed.isListed = false;
          // the others would go on without it
          stop();
          return;
        }
        for (const followed of meant) followed.onFrame({ type, object });
        // the bookmark of one subscription says nothing about the others
        if (type !== 'BOOKMARK' || id === undefined) {
          revisions.push(BigInt(object.metadata.resourceVersion));
        }
      },
      over.signal,
      { subscriptions, timeoutSeconds: 3 + this.#random.below(20) },
    );
    signal.removeEventListener('abort', stop);
    this.#recorder.count(`union ${status === 0 ? 'no answer' : status}`);
  }
}
