import type { Revision } from '../../api/revision.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Views } from '../../registry/views.ts';
import type { VersionDefinition } from '../../resources/definition.ts';
import type { Entry } from '../../watch/entry.ts';
import { eventFrame, type Encoder } from '../../watch/frames.ts';
import type { EventType } from '../../watch/history.ts';
import { bookmarkBytes } from './bookmark.ts';

let versions = 0;
const versionIds = new WeakMap<VersionDefinition, number>();

/** A word for a version as it is now: a definition that changes is another object, and gets another one. */
export function versionId(version: VersionDefinition): number {
  let id = versionIds.get(version);
  if (id === undefined) {
    id = ++versions;
    versionIds.set(version, id);
  }
  return id;
}

/** Objects as they are: frames are the finished bytes with a few characters around them. */
export class JsonEncoder implements Encoder {
  readonly id: string;
  readonly #resource: ServedResource;
  readonly #views: Views;

  constructor(resource: ServedResource, views: Views) {
    this.id = `json ${versionId(resource.version)}`;
    this.#resource = resource;
    this.#views = views;
  }

  event(type: EventType, entry: Entry): Buffer | Promise<Buffer> {
    const bytes = this.#views.bytes(this.#resource, entry);
    return bytes instanceof Promise
      ? bytes.then((ready) => eventFrame(type, ready))
      : eventFrame(type, bytes);
  }

  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer {
    return eventFrame('BOOKMARK', bookmarkBytes(this.#resource, revision, initialEventsEnd));
  }
}
