import type { View } from '../checker/history.ts';
import type { ClientOptions } from './client.ts';
import { FollowedView } from './followed-view.ts';
import { GONE, Observer } from './observer.ts';
import { COLLECTION, queryOf } from './place.ts';

/** One watch of one view. */
export class ViewObserver extends Observer {
  readonly #followed: FollowedView;

  constructor(name: string, view: View, options: ClientOptions) {
    const followed = new FollowedView(name, view, options.recorder);
    super([followed], options);
    this.#followed = followed;
  }

  protected async watch(signal: AbortSignal): Promise<void> {
    const followed = this.#followed;
    const options = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${this.timeoutSeconds()}`;
    const query = `${queryOf(followed.view)}&${options}&resourceVersion=${followed.revision}`;
    const { status } = await this.http.stream(
      `${this.choose()}${COLLECTION}?${query}`,
      (frame) => {
        if (frame.type !== 'ERROR') followed.onFrame(frame);
        else {
          if (frame.object.code === GONE) followed.isListed = false;
          this.recorder.count(`watch error ${frame.object.code}`);
        }
      },
      signal,
    );
    this.recorder.count(`watch ${status === 0 ? 'no answer' : status}`);
    if (status === GONE) followed.isListed = false;
  }
}
