import type { Seeded } from '../../support/seeded.ts';
import type { Frame, Segment, Version, View } from '../checker/history.ts';
import { contentOfNote } from '../cluster/truth-collector.ts';
import { Http, NoAnswer } from './http.ts';
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
  readonly #name: string;
  readonly #view: View;
  readonly #random: Seeded;
  readonly #choose: Choose;
  readonly #recorder: Recorder;
  readonly #http = new Http(TIMEOUT_MS);
  readonly #segments: Segment[] = [];
  #frames: Frame[] = [];
  #revision = 0n;
  /** Names of all objects that it has ever seen. */
  readonly seen = new Set<string>();

  constructor(
    name: string,
    view: View,
    options: { random: Seeded; choose: Choose; recorder: Recorder },
  ) {
    this.#name = name;
    this.#view = view;
    this.#random = options.random;
    this.#choose = options.choose;
    this.#recorder = options.recorder;
  }

  /** Until the signal; what it saw is then in the recorder. */
  async run(signal: AbortSignal): Promise<void> {
    let listed = false;
    while (!signal.aborted) {
      listed ||= await this.#list();
      if (listed) listed = await this.#watch(signal);
      await new Promise((resolve) => setTimeout(resolve, this.#random.next() * RETRY_MS));
    }
    this.#http.close();
    this.#recorder.watches.push({
      client: this.#name,
      ...this.#view,
      segments: this.#segments,
      complete: true,
    });
  }

  async #list(): Promise<boolean> {
    const called = performance.now();
    try {
      const { status, json } = await this.#http.send(this.#url(''), 'GET');
      this.#recorder.count(`relist ${status}`);
      if (status !== 200) return false;
      const items: Version[] = json.items.map(versionOf);
      this.#revision = BigInt(json.metadata.resourceVersion);
      for (const { key } of items) this.seen.add(key);
      const returned = performance.now();
      this.#recorder.lists.push({
        client: this.#name,
        called,
        returned,
        linearizable: true,
        ...this.#view,
        revision: this.#revision,
        items,
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return false;
    }
    this.#frames = [];
    this.#segments.push({ from: this.#revision, frames: this.#frames });
    return true;
  }

  /** @returns false when it has to list again */
  async #watch(signal: AbortSignal): Promise<boolean> {
    const seconds = 3 + this.#random.below(20);
    const options = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}`;
    let gone = false as boolean;
    const { status } = await this.#http.stream(
      this.#url(`${options}&resourceVersion=${this.#revision}`),
      (frame) => {
        if (frame.type !== 'ERROR') this.#onFrame(frame);
        else {
          gone ||= frame.object.code === GONE;
          this.#recorder.count(`watch error ${frame.object.code}`);
        }
      },
      signal,
    );
    this.#recorder.count(`watch ${status === 0 ? 'no answer' : status}`);
    return !gone && status !== GONE;
  }

  #onFrame({ type, object }: any): void {
    const at = performance.now();
    const version = versionOf(object);
    this.#revision = version.revision;
    if (type === 'BOOKMARK') {
      this.#frames.push({ type, at, revision: version.revision });
      return;
    }
    this.seen.add(version.key);
    this.#frames.push({ type, at, ...version });
  }

  #url(query: string): string {
    return `${this.#choose()}${COLLECTION}?${queryOf(this.#view)}&${query}`;
  }
}

function versionOf(note: any): Version {
  const { name = '', resourceVersion } = note.metadata;
  return { key: name, revision: BigInt(resourceVersion), ...contentOfNote(note) };
}
