import type { CancelSignal } from '../api/cancel-signal.ts';
import type { ApiObject } from '../api/object.ts';
import { conflict, isAlreadyExists, OBJECT_MODIFIED } from '../api/api-error.ts';
import type { GroupResource } from '../api/group-version.ts';
import type { Store, StoredItem } from '../storage/interface.ts';
import { relativeKey } from '../storage/keys.ts';
import { spliceRevision, metadataOffset } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import type { OwnWrite } from '../watch/own-writes.ts';
import { cancelSignalOf, type RequestContext } from './context.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';

type WriteDecision<T> = Extract<Decision<T>, { do: 'write' }>;

/** What a step of an update wants done with the object it was shown, and what it has to tell of it. */
export type Decision<T> = { readonly answer: T } &
  /** Store these bytes (without resourceVersion) in place of it. */
  (
    | {
        readonly do: 'write';
        readonly stored: Buffer;
        /** What the bytes were made of. */
        readonly object: ApiObject;
        readonly ttlSeconds: number | undefined;
      }
    /** Remove it. */
    | { readonly do: 'remove' }
    /** Leave it: nothing is to be written, or it has been. */
    | { readonly do: 'keep' }
  );

interface GuaranteedUpdate<T> {
  readonly store: Store;
  readonly prefix: string;
  readonly key: string;
  readonly name: string;
  readonly resource: GroupResource;
  /** A copy that may be stale; undefined: none is at hand. */
  readonly cached: Entry | undefined;
  /** Called before bytes are written, with what they were made of. */
  readonly ownWrite: (stored: Buffer, object: ApiObject) => OwnWrite;
  readonly signal: CancelSignal | undefined;
  /** Name of the user whose write it is. */
  readonly caller: string;
  /** Called once per attempt; must not keep anything of an attempt before. Throws ApiErrors to refuse. */
  readonly decide: (current: Entry | undefined) => Promise<Decision<T>>;
}

export interface UpdateResult<T> {
  /** Of the decision that was carried out. */
  readonly answer: T;
  /** The object after it; for `remove` the last state under the revision of the removal; undefined: there is none. */
  readonly entry: Entry | undefined;
}

/** Conflicts with other writers are retried so often before the client is told. */
const MAX_ATTEMPTS = 100;

/** {@link guaranteedUpdate} of the object of a request, beginning with the copy of the replica. */
export function updateTarget<T>(
  { store, reader }: RegistryParts,
  { resource, namespace, name }: Target,
  context: RequestContext,
  decide: GuaranteedUpdate<T>['decide'],
): Promise<UpdateResult<T>> {
  const key = relativeKey(namespace, name);
  const { prefix, groupResource } = resource;
  const collection = reader.replica.collection(prefix);
  return guaranteedUpdate({
    store,
    prefix,
    key,
    name,
    resource: groupResource,
    cached: collection.items.get(key),
    ownWrite: (stored, object) => collection.ownWrite(key, stored, object),
    signal: cancelSignalOf(context),
    caller: context.user.name,
    decide,
  });
}

/**
 * Read, decide, compare-and-swap, until it succeeds. The first attempt starts
 * from a copy that may be stale; whenever the outcome depends on it being
 * current (a refusal, or nothing to write), it is read again from the store and
 * decided again if it was stale. Nothing is written when the bytes are the same.
 */
export async function guaranteedUpdate<T>(update: GuaranteedUpdate<T>): Promise<UpdateResult<T>> {
  let current = update.cached;
  let live = false;
  if (current === undefined) {
    current = await readLive(update);
    live = true;
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let decision: Decision<T>;
    try {
      decision = await update.decide(current);
    } catch (error) {
      // what could not be created because it exists has come since it was looked for
      if (live && !(current === undefined && isAlreadyExists(error))) throw error;
      const fresh = await readLive(update);
      live = true;
      if (fresh?.revision === current?.revision) throw error;
      current = fresh;
      continue;
    }
    const outcome = await attemptWrite(update, decision, current, live);
    if (outcome.done) return outcome.result;
    current = outcome.current;
    live = true;
  }
  throw conflict(update.resource, update.name, OBJECT_MODIFIED);
}

type Outcome<T> =
  | { readonly done: true; readonly result: UpdateResult<T> }
  | { readonly done: false; readonly current: Entry | undefined };

function attemptWrite<T>(
  update: GuaranteedUpdate<T>,
  decision: Decision<T>,
  current: Entry | undefined,
  live: boolean,
): Promise<Outcome<T>> {
  switch (decision.do) {
    case 'keep':
      return verified(update, decision, current, live);
    case 'remove':
      return remove(update, decision, current);
    case 'write':
      if (current === undefined) throw new Error('nothing to replace');
      return isSame(decision.stored, current)
        ? verified(update, decision, current, live)
        : replace(update, decision, current);
  }
}

/** Nothing is written: right only if what was decided on is still what is stored. */
async function verified<T>(
  update: GuaranteedUpdate<T>,
  { answer }: Decision<T>,
  current: Entry | undefined,
  live: boolean,
): Promise<Outcome<T>> {
  if (!live) {
    const fresh = await readLive(update);
    if (fresh?.revision !== current?.revision) return { done: false, current: fresh };
  }
  return { done: true, result: { answer, entry: current } };
}

async function replace<T>(
  update: GuaranteedUpdate<T>,
  decision: WriteDecision<T>,
  current: Entry,
): Promise<Outcome<T>> {
  const { store, prefix, key, signal, caller } = update;
  const { stored, object, ttlSeconds } = decision;
  const how = { ttlSeconds, signal, caller };
  const write = update.ownWrite(stored, object);
  const outcome = await write.answered(store.update(prefix + key, stored, current.revision, how));
  switch (outcome.outcome) {
    case 'ok': {
      const entry = write.entry(outcome.revision);
      return { done: true, result: { answer: decision.answer, entry } };
    }
    case 'missing':
      return { done: false, current: undefined };
    case 'conflict':
      return { done: false, current: entryOf(key, outcome.current) };
  }
}

async function remove<T>(
  update: GuaranteedUpdate<T>,
  { answer }: Decision<T>,
  current: Entry | undefined,
): Promise<Outcome<T>> {
  const { store, prefix, key, signal, caller } = update;
  if (current === undefined) throw new Error('nothing to remove');
  const outcome = await store.delete(prefix + key, current.revision, { signal, caller });
  switch (outcome.outcome) {
    case 'ok': {
      const entry = current.deletedAt(outcome.revision);
      return { done: true, result: { answer, entry } };
    }
    case 'missing':
      return { done: false, current: undefined };
    case 'conflict':
      return { done: false, current: entryOf(key, outcome.current) };
  }
}

async function readLive(update: GuaranteedUpdate<unknown>): Promise<Entry | undefined> {
  const { store, prefix, key, signal } = update;
  const { item } = await store.get(prefix + key, { signal });
  return item === undefined ? undefined : entryOf(key, item);
}

function entryOf(key: string, item: StoredItem): Entry {
  return Entry.fromStored(key, item.value, item.revision);
}

/**
 * Would storing these bytes change anything? Canonical text makes this a
 * comparison of bytes. Nearly every write changes something behind its
 * metadata's first byte, which is seen without making the bytes of the present
 * revision: that took 1 % of a patch.
 */
function isSame(stored: Buffer, current: Entry): boolean {
  const offset = metadataOffset(stored);
  const behindRevision = current.bytes.length - (stored.length - offset);
  if (offset < 0 || behindRevision < offset) return false;
  if (stored.compare(current.bytes, behindRevision, undefined, offset) !== 0) return false;
  return spliceRevision(stored, offset, current.revision).equals(current.bytes);
}
