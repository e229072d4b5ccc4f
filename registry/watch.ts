import { ApiError } from '../api/api-error.ts';
import type { Clock } from '../api/clock.ts';
import { Turn } from '../api/turn.ts';
import { isStoreError } from '../storage/errors.ts';
import { translateStoreError } from '../storage/translate-error.ts';
import type { Caller } from '../watch/caller.ts';
import { ANY, LATEST, type ReadPoint } from '../watch/reader.ts';
import { rightsChanged } from '../watch/rights-frames.ts';
import type { Entry } from '../watch/entry.ts';
import type { Rights } from '../watch/rights.ts';
import type { Encoder } from '../watch/frames.ts';
import type { SubscriptionStart } from '../watch/subscription-parts.ts';
import type { Subscription } from '../watch/subscription.ts';
import { revisionParameter, type ListOptions } from './list-options.ts';
import type { RegistryParts } from './parts.ts';
import { ofTarget, selectionOf } from './selection.ts';
import type { Target } from './served-resource.ts';
import type { Scope } from '../watch/scope.ts';
import type { FrameSink } from '../watch/frame-sink.ts';

/** A watch that has been accepted: its start is known and nothing is sent yet. */
export interface AcceptedWatch {
  /** Begins to send. `onClose` is called once when the stream is over. */
  open(encoder: Encoder, sink: FrameSink, onClose: () => void): Subscription;
}

/**
 * Watch of a collection, or of the object that the target names (the deprecated
 * path of one object). What is wrong with the request is an ordinary answer;
 * what goes wrong later is an ERROR frame (behaviours 4.7).
 *
 * @throws ApiError
 */
export async function watch(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  caller?: Caller,
): Promise<AcceptedWatch> {
  const scope = selectionOf(parts.views, target, ofTarget(parts.views, target, options));
  const { prefix } = target.resource;
  const { start, failure } = await beginning(parts, prefix, options, caller);
  await checkResumable(parts, { prefix, scope }, start, options);
  return {
    open(encoder, sink, onClose) {
      let forget = (): void => undefined;
      const subscription = parts.watcher.watch({
        prefix,
        start,
        scope,
        encoder,
        bookmarks: options.allowWatchBookmarks,
        timeoutMs: timeoutOf(options, parts),
        sink,
        onClose() {
          forget();
          stopListening?.();
          onClose();
        },
      });
      const stopListening = scope.rights?.rights.listen(() => subscription.pump());
      forget = endWithResource(parts, target, subscription);
      if (failure !== undefined) subscription.closeWithError(failure);
      return subscription;
    },
  };
}

/**
 * What a stream over several resources needs of one of them: which objects, and
 * where it begins.
 *
 * @throws ApiError 400; StoreError `futureRevision` when the store has not reached the revision
 * in some seconds, `compacted` when it does not keep what came after it
 */
export async function watchedPart(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
): Promise<{ scope: Scope; start: SubscriptionStart }> {
  const scope = selectionOf(parts.views, target, options);
  const { prefix } = target.resource;
  const start = await startOf(parts, prefix, options, undefined);
  // otherwise it would see nothing and not be told, or end the others that are read with it
  if (start.from === 'revision') await parts.reader.checkFollowable(prefix, start.revision);
  await checkResumable(parts, { prefix, scope }, start, options);
  return { scope, start };
}

/** Decides what of a collection the client has been shown already. */
async function decideAll(rights: Rights, entries: Iterable<Entry>, clock: Clock): Promise<void> {
  const turn = new Turn(clock);
  for (const entry of entries) {
    const wait = rights.prepare([entry]);
    if (wait !== undefined) await wait;
    if (turn.over()) await turn.next();
  }
}

/**
 * A client that goes on after a revision has what its rights showed up to there.
 *
 * @throws ApiError 410 when they may have changed since
 */
async function checkResumable(
  { reader, clock }: RegistryParts,
  { prefix, scope: { rights, range } }: { readonly prefix: string; readonly scope: Scope },
  start: SubscriptionStart,
  { resourceVersion }: ListOptions,
): Promise<void> {
  // without a revision of its own it has nothing yet
  if (rights === undefined || start.from === 'state' || resourceVersion === '') return;
  const { items } = reader.replica.collection(prefix);
  await decideAll(rights.rights, items.snapshot().range(range.start, range.end), clock);
  if (await rights.rights.changedSince(start.revision)) throw rightsChanged();
}

/**
 * A stream of custom resources ends with their definition, or when its version
 * is no longer served. The stream first delivers every event up to that point.
 * Changes of the schema do not end it.
 */
function endWithResource(
  { catalog }: RegistryParts,
  { resource }: Target,
  subscription: Subscription,
): () => void {
  const { builtin, givesWay } = resource.definition;
  if (builtin && givesWay !== true) return () => undefined;
  if (catalog.current(resource) === undefined) {
    // it has ended while the start of the stream was looked up
    subscription.finish();
    return () => undefined;
  }
  return catalog.onEnd(resource, () => subscription.finish());
}

interface Beginning {
  readonly start: SubscriptionStart;
  /** What the stream has to say instead of events. */
  readonly failure?: ApiError;
}

/**
 * Where the stream begins. A state that does not come about in time although it
 * was asked for by name is told inside of the stream: the request had nothing
 * wrong with it, and clients of streams look for such news there.
 */
async function beginning(
  parts: RegistryParts,
  prefix: string,
  options: ListOptions,
  caller: Caller | undefined,
): Promise<Beginning> {
  try {
    return { start: await startOf(parts, prefix, options, caller) };
  } catch (failure) {
    if (options.sendInitialEvents !== true || !isStoreError(failure, 'futureRevision')) {
      throw failure;
    }
    const { revision } = await parts.reader.snapshot(prefix, ANY, caller);
    return {
      start: { from: 'revision', revision },
      failure: ApiError.from(translateStoreError(failure)),
    };
  }
}

async function startOf(
  parts: RegistryParts,
  prefix: string,
  options: ListOptions,
  caller: Caller | undefined,
): Promise<SubscriptionStart> {
  const { resourceVersion, sendInitialEvents } = options;
  const revision = resourceVersion === '' ? undefined : revisionParameter(resourceVersion);
  const fromState = sendInitialEvents ?? (revision === undefined || revision === 0n);
  if (!fromState) {
    // "No initial events" without a revision: from now on.
    if (revision !== undefined && revision !== 0n) return { from: 'revision', revision };
    const point = revision === undefined ? LATEST : ANY;
    const now = await parts.reader.snapshot(prefix, point, caller);
    return { from: 'revision', revision: now.revision };
  }
  const point: ReadPoint =
    revision === undefined ? LATEST : revision === 0n ? ANY : { at: 'notOlderThan', revision };
  const snapshot = await parts.reader.snapshot(prefix, point, caller);
  // also without asking for initial events: so clients of bookmarks have come to know
  return { from: 'state', snapshot, endBookmark: options.allowWatchBookmarks };
}

/** Streams without timeoutSeconds end each at a moment of its own, so that clients spread (behaviours 4.11). */
function timeoutOf({ timeoutSeconds }: ListOptions, { random, minWatchMs }: RegistryParts): number {
  return timeoutSeconds > 0 ? timeoutSeconds * 1000 : minWatchMs * (1 + random());
}
