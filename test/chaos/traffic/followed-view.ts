import type { Frame, Segment, Version, View } from '../checker/history.ts';
import { contentOfNote } from '../cluster/truth-collector.ts';
import { NoAnswer, type Http } from './http.ts';
import { COLLECTION, queryOf } from './place.ts';
import type { Recorder } from './recorder.ts';

/** What one watcher knows of one view: it lists, then takes frames, and lists again after a gap. */
export class FollowedView {
  readonly #client: string;
  readonly view: View;
  readonly #recorder: Recorder;
  readonly #segments: Segment[] = [];
  #frames: Frame[] = [];
  /** The last one that it has seen. */
  revision = 0n;
  /** False before the first list, and after the server has said that history is gone. */
  isListed = false;
  /** Names of all objects that it has ever seen. */
  readonly seen = new Set<string>();

  constructor(client: string, view: View, recorder: Recorder) {
    this.#client = client;
    this.view = view;
    this.#recorder = recorder;
  }

  /** Lists, unless it knows where to go on. */
  async list(http: Http, server: string): Promise<void> {
    if (this.isListed) return;
    const called = performance.now();
    try {
      const url = `${server}${COLLECTION}?${queryOf(this.view)}`;
      const { status, json } = await http.send(url, 'GET');
      this.#recorder.count(`relist ${status}`);
      if (status !== 200) return;
      const items: Version[] = json.items.map(versionOf);
      this.revision = BigInt(json.metadata.resourceVersion);
      for (const { key } of items) this.seen.add(key);
      this.#recorder.lists.push({
        client: this.#client,
        called,
        returned: performance.now(),
        linearizable: true,
        ...this.view,
        revision: this.revision,
        items,
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return;
    }
    this.#frames = [];
    this.#segments.push({ from: this.revision, frames: this.#frames });
    this.isListed = true;
  }

  onFrame({ type, object }: any): void {
    const at = performance.now();
    const version = versionOf(object);
    this.revision = version.revision;
    if (type === 'BOOKMARK') {
      this.#frames.push({ type, at, revision: version.revision });
      return;
    }
    this.seen.add(version.key);
    this.#frames.push({ type, at, ...version });
  }

  /** Hands over all that it saw. */
  finish(): void {
    this.#recorder.watches.push({
      client: this.#client,
      ...this.view,
      segments: this.#segments,
      complete: true,
    });
  }
}

function versionOf(note: any): Version {
  const { name = '', resourceVersion } = note.metadata;
  return { key: name, revision: BigInt(resourceVersion), ...contentOfNote(note) };
}
