import { Client, type ClientOptions } from './client.ts';
import type { FollowedView } from './followed-view.ts';

const PAUSE_MS = 100;
/** The status of a watch whose history is gone. */
export const GONE = 410;

/**
 * Follows its views, as an informer does: lists, watches from there, resumes from
 * the last revision that it has seen wherever it is sent next, and lists again
 * only when it is told that history is gone.
 */
export abstract class Observer extends Client {
  readonly views: readonly FollowedView[];

  constructor(views: readonly FollowedView[], options: ClientOptions) {
    super(options, PAUSE_MS);
    this.views = views;
  }

  override async run(signal: AbortSignal): Promise<void> {
    await super.run(signal);
    for (const followed of this.views) followed.finish();
  }

  protected async turn(signal: AbortSignal): Promise<void> {
    for (const followed of this.views) await followed.list(this.http, this.choose());
    if (this.views.every(({ isListed }) => isListed)) await this.watch(signal);
  }

  /** One stream until it ends, for whatever reason. */
  protected abstract watch(signal: AbortSignal): Promise<void>;

  /** How long the next stream is to last. */
  protected timeoutSeconds(): number {
    return 3 + this.random.below(20);
  }
}
