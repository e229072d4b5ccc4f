import type { Clock } from '../api/clock.ts';
import type { Status } from '../api/status.ts';
import type { Revision } from '../api/revision.ts';
import type { Projection } from '../registry/projection.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Views } from '../registry/views.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import type { Entry } from '../watch/entry.ts';
import { eventFrame, type Encoder } from '../watch/frames.ts';
import type { EventType } from '../watch/history.ts';
import { bookmarkBytes } from './bookmark.ts';
import { LINES, type EventFraming } from './event-framing.ts';
import type { Conversion, IncludeObject } from './negotiate.ts';
import { partialObject } from './partial-object.ts';
import { tableOfOne } from './table-of-one.ts';

let versions = 0;
const versionIds = new WeakMap<VersionDefinition, number>();

/** A word for a version as it is now: a definition that changes is another object, and gets another one. */
function versionId(version: VersionDefinition): number {
  let id = versionIds.get(version);
  if (id === undefined) {
    id = ++versions;
    versionIds.set(version, id);
  }
  return id;
}

/** An object's finished bytes as the object of an event. */
type Show = (bytes: Buffer) => Buffer;

/** How objects look on a stream: which bytes of {@link Views}, and what is made of them. */
interface Look {
  readonly form: string;
  readonly bytesOf: 'bytes' | 'metadataBytes';
  readonly show: Show;
  /** Of bookmarks, where they look another way. */
  readonly showBookmark?: Show;
  readonly projection?: Projection | undefined;
}

const WHOLE: Look = { form: 'whole', bytesOf: 'bytes', show: (bytes) => bytes };

/** Objects as they are: frames are the finished bytes with a few characters around them. */
export class ObjectEncoder implements Encoder {
  readonly id: string;
  readonly #resource: ServedResource;
  readonly #views: Views;
  readonly #look: Look;
  readonly #framing: EventFraming;

  constructor(resource: ServedResource, views: Views, framing = LINES, look = WHOLE) {
    this.id = `${framing.name} ${look.form} ${versionId(resource.version)}`;
    this.#resource = resource;
    this.#views = views;
    this.#look = look;
    this.#framing = framing;
  }

  event(type: EventType, entry: Entry): Buffer | Promise<Buffer> {
    const { bytesOf, show } = this.#look;
    const bytes = this.#views[bytesOf](this.#resource, entry);
    return bytes instanceof Promise
      ? bytes.then((ready) => this.#framing.event(type, show(ready)))
      : this.#framing.event(type, show(bytes));
  }

  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer {
    const bytes = bookmarkBytes(this.#resource, revision, initialEventsEnd);
    const { show, showBookmark = show } = this.#look;
    return this.#framing.bookmark(showBookmark(bytes));
  }

  error(status: Status): Buffer {
    return this.#framing.error(status);
  }

  isSame(before: Entry, after: Entry): boolean {
    return this.#look.projection?.isSame?.(this.#views, before, after) ?? false;
  }
}

/** Parts of objects; events that change nothing of them are left out. */
export function projectedEncoder(
  resource: ServedResource,
  views: Views,
  projection: Projection,
  framing?: EventFraming,
): Encoder {
  return new ObjectEncoder(resource, views, framing, {
    form: projection.id,
    bytesOf: 'bytes',
    show: projection.show,
    showBookmark: (bytes) => bytes,
    projection,
  });
}

/** The metadata of objects. */
export function partialEncoder(
  resource: ServedResource,
  views: Views,
  conversion: Conversion,
  { projection, framing }: { projection?: Projection | undefined; framing?: EventFraming } = {},
): Encoder {
  const form = `partial ${conversion.apiVersion} ${projection?.id ?? ''}`;
  const partial: Show = (bytes) => partialObject(bytes, conversion);
  return new ObjectEncoder(resource, views, framing, {
    form,
    bytesOf: 'metadataBytes',
    show: projection === undefined ? partial : (bytes) => partial(projection.show(bytes)),
    showBookmark: partial,
    projection,
  });
}

interface TableEncoderOptions {
  readonly conversion: Conversion;
  readonly include: IncludeObject;
  readonly clock: Clock;
}

/**
 * A table with one row for each event. The first frame of a stream describes
 * the columns, whatever it is; it is not shared with other streams (behaviours 2.4).
 */
export class TableEncoder implements Encoder {
  readonly #resource: ServedResource;
  readonly #views: Views;
  readonly #options: TableEncoderOptions;
  readonly #sharedId: string;
  #hasBegun = false;

  constructor(resource: ServedResource, views: Views, options: TableEncoderOptions) {
    this.#resource = resource;
    this.#views = views;
    this.#options = options;
    const { apiVersion } = options.conversion;
    this.#sharedId = `table ${apiVersion} ${options.include} ${versionId(resource.version)}`;
  }

  get id(): string | undefined {
    return this.#hasBegun ? this.#sharedId : undefined;
  }

  event(type: EventType, entry: Entry): Buffer | Promise<Buffer> {
    const show = this.#next(this.#options.include);
    return encoded(type, this.#views.bytes(this.#resource, entry), show);
  }

  /** The end of the initial events is marked in the row's object, which is therefore always there. */
  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer {
    const { include } = this.#options;
    const show = this.#next(initialEventsEnd && include === 'None' ? 'Metadata' : include);
    const bytes = bookmarkBytes(this.#resource, revision, initialEventsEnd);
    return eventFrame('BOOKMARK', show(bytes));
  }

  #next(include: IncludeObject): Show {
    const { conversion, clock } = this.#options;
    const hasHeaders = !this.#hasBegun;
    this.#hasBegun = true;
    return (bytes) =>
      tableOfOne(this.#resource, bytes, { conversion, include, now: clock.now(), hasHeaders });
  }
}

function encoded(
  type: EventType,
  bytes: Buffer | Promise<Buffer>,
  show: Show,
): Buffer | Promise<Buffer> {
  return bytes instanceof Promise
    ? bytes.then((ready) => eventFrame(type, show(ready)))
    : eventFrame(type, show(bytes));
}
