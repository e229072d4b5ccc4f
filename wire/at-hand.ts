import { isUnderAlias } from '../registry/alias.ts';
import { hasWebhook } from '../registry/converted-forms.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Views } from '../registry/views.ts';
import type { Entry } from '../watch/entry.ts';
import { typeMetaPrefix } from './object-bytes.ts';

/** Objects whose canonical bytes need not be made. */
export interface AtHand<T> {
  /** How all of them begin; items of a list go without it, behind a brace of their own. */
  readonly prefix: Buffer;
  /** What the bytes of an item depend on besides the item: another object, other bytes. */
  readonly form: () => object;
  /** It is the same at all times. */
  readonly isFixed: boolean;
  /** The bytes of these; undefined where those of one of them have to be made, or looked at. */
  bytesOf(items: readonly T[]): readonly Buffer[] | undefined;
}

/** Finds what `Views.bytes` would answer, of many objects at a time. Undefined: it has to make some of nearly all. */
export function atHand(views: Views, asked: ServedResource): AtHand<Entry> | undefined {
  const { definition, version } = asked;
  if (isUnderAlias(asked) || definition.formOf !== undefined || hasWebhook(asked)) return undefined;
  if (!definition.builtin) {
    return {
      prefix: NOTHING,
      form: () => views.current(asked).version,
      isFixed: false,
      bytesOf: (entries) => shownBytes(views, asked, entries),
    };
  }
  if (version.codec.withAppliedNames !== undefined) return undefined;
  const prefix = typeMetaPrefix(asked);
  return {
    prefix,
    form: () => prefix,
    isFixed: true,
    bytesOf: (entries) => storedBytes(prefix, entries),
  };
}

const NOTHING = Buffer.alloc(0);
const METADATA_OPEN = '"metadata":{';

/** Not of objects whose metadata is elsewhere than behind the prefix: such an object is looked at when it is written. */
function storedBytes(prefix: Buffer, entries: readonly Entry[]): Buffer[] | undefined {
  const expected = prefix.length + METADATA_OPEN.length;
  const all: Buffer[] = [];
  for (const entry of entries) {
    if (entry.metadataStart !== expected) return undefined;
    all.push(entry.bytes);
  }
  return all;
}

/** Of custom resources: what was made for the schema of the moment. */
function shownBytes(
  views: Views,
  asked: ServedResource,
  entries: readonly Entry[],
): Buffer[] | undefined {
  const { version } = views.current(asked);
  const all: Buffer[] = [];
  for (const entry of entries) {
    const isReady = entry.shownFor === version && !entry.corrupt;
    if (!isReady || entry.shownAs === undefined) return undefined;
    // a warning is to name it
    if (views.refusal(asked, entry) !== undefined) return undefined;
    all.push(entry.shownAs);
  }
  return all;
}
