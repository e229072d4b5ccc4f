import { inNameOf } from '../registry/alias.ts';
import type { DeletedObjects } from '../registry/delete-collection.ts';
import type { ListResult } from '../registry/list-result.ts';
import type { Projection } from '../registry/projection.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { LARGE_BYTES } from '../registry/large-objects.ts';
import { storageReadError } from '../registry/read-errors.ts';
import type { ServedResource, Target } from '../registry/served-resource.ts';
import { andThen } from '../api/and-then.ts';
import type { Clock } from '../api/clock.ts';
import type { Entry } from '../watch/entry.ts';
import type { Stretch } from '../watch/ordered-map.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { SMALL_ANSWER_BYTES } from '../http/send.ts';
import { answer, answerInPieces } from './answer.ts';
import { atHand, type AtHand } from './at-hand.ts';
import {
  layOut,
  partialForm,
  plainForm,
  tableForm,
  type ListForm,
  type ListMetadata,
} from './list-form.ts';
import { keptRuns } from './kept-runs.ts';
import type { ListEnvelope } from './list-envelope.ts';
import {
  lengthAround,
  lengthOfList,
  listAtOnce,
  listPieces,
  type ListSource,
} from './list-pieces.ts';
import { includeObjectOf, negotiateObjects, notAcceptable } from './negotiate.ts';
import { messageSchema } from './protobuf/document.ts';
import { listDocument } from './protobuf/list-document.ts';

/**
 * A collection in the form that the client accepts, written as the client takes it.
 *
 * @throws ApiError (also as rejection) 406, 400 for a table that cannot be made as asked, and what
 *   goes wrong with the first objects. Later failures break the answer off.
 */
export function respondList(
  exchange: Exchange,
  { views, clock }: RegistryParts,
  { resource }: Target,
  { revision, continueToken, remaining, unreadable, chunks, stretches, items }: ListResult,
  projection?: Projection,
): Answer {
  for (const key of unreadable.slice(0, MAX_NAMED)) {
    exchange.warnings.add(storageReadError(resource.prefix + key).message);
  }
  const metadata = { revision: String(revision), continueToken, remaining };
  const { conversion } = negotiateObjects(exchange.request, resource);
  const bytesOf =
    conversion?.kind === 'PartialObjectMetadataList'
      ? (entry: Entry) => views.metadataBytes(resource, entry)
      : resource.definition.builtin
        ? (entry: Entry) => views.bytes(resource, entry)
        : withWarnings(exchange, views, resource);
  const isTable = conversion?.kind === 'Table';
  return respondItems(exchange, {
    resource,
    metadata,
    chunks,
    stretches,
    items,
    bytesOf: projection === undefined || isTable ? bytesOf : projected(bytesOf, projection.show),
    sizeOf: ({ byteLength }) => byteLength,
    atHand:
      conversion === undefined && projection === undefined ? atHand(views, resource) : undefined,
    clock,
  });
}

type BytesOf = (entry: Entry) => Buffer | Promise<Buffer>;

function projected(bytesOf: BytesOf, show: Projection['show']): BytesOf {
  return (entry) => {
    const bytes = bytesOf(entry);
    return andThen(bytes, show);
  };
}

/** Objects named in warnings of one list. */
const MAX_NAMED = 10;

/**
 * The bytes of objects; those that had to go without their defaults are named in
 * warnings, as far as they are found before the answer begins.
 */
function withWarnings(
  { warnings }: Exchange,
  views: RegistryParts['views'],
  resource: ServedResource,
): (entry: Entry) => Buffer | Promise<Buffer> {
  let named = 0;
  const check = (entry: Entry): void => {
    const refusal = named < MAX_NAMED ? views.refusal(resource, entry) : undefined;
    if (refusal === undefined) return;
    named++;
    warnings.add(refusal.message);
  };
  return (entry) => {
    const isLarge = entry.bytes.length > LARGE_BYTES;
    const made = isLarge ? views.bytesInTurns(resource, entry) : views.bytes(resource, entry);
    if (made instanceof Promise) {
      return made.then((bytes) => {
        check(entry);
        return bytes;
      });
    }
    check(entry);
    return made;
  };
}

/** What a deletecollection has deleted, as far as it is still there or as it was last. */
export function respondDeleted(
  exchange: Exchange,
  { clock }: RegistryParts,
  { resource }: Target,
  { revision, continueToken, objects }: DeletedObjects,
): Answer {
  return respondItems(exchange, {
    resource,
    metadata: { revision: String(revision), continueToken, remaining: undefined },
    chunks: only(objects),
    bytesOf: (bytes) => inNameOf(resource, bytes),
    sizeOf: (bytes) => bytes.length,
    clock,
  });
}

/** Any list of objects of a resource; they need not be stored. */
interface ItemList<T> {
  readonly resource: ServedResource;
  readonly metadata: ListMetadata;
  readonly chunks: AsyncIterable<readonly T[]>;
  /** An item's canonical bytes. */
  readonly bytesOf: (item: T) => Buffer | Promise<Buffer>;
  /** Bytes that they are made of, where these are at hand. */
  readonly sizeOf?: (item: T) => number;
  readonly clock: Clock;
  /** Of items whose bytes need not be made. */
  readonly atHand?: AtHand<T> | undefined;
  /** All of them, where they are few and known. */
  readonly items?: (() => readonly T[]) | undefined;
  /** Where the chunks lie in memory. */
  readonly stretches?: readonly Stretch<T>[] | undefined;
}

/**
 * {@link respondList} for objects from anywhere (a kind that is computed).
 *
 * @throws ApiError (also as rejection)
 */
export function respondItems<T>(exchange: Exchange, list: ItemList<T>): Answer {
  const representation = negotiateObjects(exchange.request, list.resource);
  const form = formOf(exchange, list);
  if (representation.format === 'protobuf') {
    return answerInPieces(exchange, 200, representation, listDocument(messagesOf(list, form)));
  }
  const { envelope, write } = layOut(form, representation);
  const plain =
    representation.format === 'json' && !representation.pretty ? list.atHand : undefined;
  const kept = keptLength(list, plain, envelope) ?? 0;
  const isKept = kept > SMALL_ANSWER_BYTES;
  const bytes = isKept || !list.items ? undefined : plain?.bytesOf(list.items());
  if (plain !== undefined && bytes !== undefined) {
    const length = lengthOfList(bytes, envelope, plain);
    if (length <= SMALL_ANSWER_BYTES) {
      return answer(exchange, 200, representation, listAtOnce(bytes, envelope, plain, length));
    }
    const source: ListSource<Buffer> = {
      length,
      chunks: chunksOf(bytes, list.stretches),
      write,
      sizeOf: ({ length }) => length,
      atHand: { prefix: plain.prefix, bytesOf: (items) => items },
      kept: keptOf(list, plain),
    };
    const pieces = listPieces(source, envelope, list.clock);
    return answerInPieces(exchange, 200, representation, pieces, length);
  }
  const source: ListSource<T> = {
    chunks: list.chunks,
    sizeOf: list.sizeOf,
    atHand: plain,
    kept: plain && keptOf(list, plain),
    write(slabs, item) {
      const bytes = list.bytesOf(item);
      if (bytes instanceof Promise) return bytes.then((ready) => write(slabs, ready));
      return write(slabs, bytes);
    },
  };
  const pieces = listPieces(source, envelope, list.clock);
  return answerInPieces(exchange, 200, representation, pieces, isKept ? kept : undefined);
}

/** Pieces of chunks that are kept; as long as the items' form is what it was when the answer began. */
function keptOf<T>({ stretches, clock }: ItemList<T>, plain: AtHand<T>): ListSource<T>['kept'] {
  if (stretches === undefined) return undefined;
  const form = plain.form();
  return (chunk) => {
    const stretch = stretches[chunk];
    if (stretch === undefined || plain.form() !== form) return undefined;
    return keptRuns.list(stretch, plain, clock);
  };
}

/** Of a list that is kept, whatever of it is still kept when it is written. */
function keptLength<T>(
  { stretches }: ItemList<T>,
  plain: AtHand<T> | undefined,
  envelope: ListEnvelope,
): number | undefined {
  if (stretches === undefined || stretches.length === 0 || plain?.isFixed !== true)
    return undefined;
  const items = keptRuns.lengthOf(stretches, plain.form());
  return items === undefined ? undefined : lengthAround(items, envelope);
}

/** Items as they lie in memory. */
// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* chunksOf<T>(
  items: readonly T[],
  stretches: readonly Stretch<unknown>[] | undefined,
): AsyncIterable<readonly T[]> {
  if (stretches === undefined) yield items;
  let begin = 0;
  for (const { from, to } of stretches ?? []) yield items.slice(begin, (begin += to - from));
}

// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* only<T>(chunk: T): AsyncIterable<T> {
  yield chunk;
}

/** The same as messages: the items' own, or their metadata alone. */
function messagesOf<T>(
  { resource, chunks, bytesOf, clock }: ItemList<T>,
  {
    head: { fields },
    item = { apiVersion: resource.apiVersion, kind: resource.kind.kind },
  }: ListForm,
): Parameters<typeof listDocument<T>>[0] {
  return { fields, schema: messageSchema(item), chunks, jsonOf: bytesOf, clock };
}

function formOf<T>(exchange: Exchange, { resource, metadata, clock }: ItemList<T>): ListForm {
  const { conversion } = negotiateObjects(exchange.request, resource);
  switch (conversion?.kind) {
    case undefined:
      return plainForm(resource, metadata);
    case 'PartialObjectMetadataList':
      return partialForm(conversion, metadata);
    case 'PartialObjectMetadata':
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${resource.definition.names.listKind})`,
      );
    case 'Table': {
      const include = includeObjectOf(exchange.request);
      const table = { conversion, include, now: clock.now(), hasHeaders: true };
      return tableForm(resource, table, metadata);
    }
  }
}
