import type { View } from '../checker/history.ts';
import type { ClientOptions } from './client.ts';
import { FollowedView } from './followed-view.ts';
import { GONE, Observer } from './observer.ts';
import { NAMESPACE, parametersOf, RESOURCE, UNION } from './place.ts';

/**
 * One stream with several subscriptions. Each goes on behind what it has seen
 * itself: two of them may show the same change, and a cut may lie between.
 */
export class UnionObserver extends Observer {
  readonly #name: string;

  constructor(name: string, views: readonly View[], options: ClientOptions) {
    const named = views.map((view, i) => new FollowedView(`${name}/${i}`, view, options.recorder));
    super(named, options);
    this.#name = name;
  }

  protected async watch(signal: AbortSignal): Promise<void> {
    const subscriptions = this.views.map(({ view, revision }, i) => {
      const asked = Object.fromEntries(parametersOf(view));
      const resourceVersion = String(revision);
      return { id: String(i), resource: RESOURCE, namespace: NAMESPACE, ...asked, resourceVersion };
    });
    const revisions: bigint[] = [];
    this.recorder.unions.push({ client: this.#name, revisions });
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal.addEventListener('abort', stop);
    const { status } = await this.http.stream(
      `${this.choose()}${UNION}`,
      ({ id, type, object }) => {
        const meant = id === undefined ? this.views : [this.views[Number(id)]!];
        if (type === 'ERROR') {
          this.recorder.count(`union error ${object.code}`);
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
      { subscriptions, timeoutSeconds: this.timeoutSeconds() },
    );
    signal.removeEventListener('abort', stop);
    this.recorder.count(`union ${status === 0 ? 'no answer' : status}`);
  }
}
