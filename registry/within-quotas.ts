import { objectOf } from '../resources/object-of.ts';
import { resourceQuotaSchema } from '../resources/core/quota-schema.ts';
import { conflict, forbidden, type ApiError } from '../api/api-error.ts';
import { setOwn } from '../api/json.ts';
import { SYSTEM_NAMESPACE } from '../api/naming.ts';
import type { ApiObject } from '../api/object.ts';
import { Quantity } from '../api/quantity.ts';
import type { Revision } from '../api/revision.ts';
import { nextTurn } from '../api/turn.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { StoreError } from '../storage/errors.ts';
import type { CreateOutcome, UpdateOperation } from '../storage/interface.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import type { Replica } from '../watch/replica.ts';
import type { RegistryParts } from './parts.ts';
import { RESOURCE_QUOTAS_PREFIX } from './prefixes.ts';
import {
  countedPrefix,
  countObjects,
  objectLimits,
  quotasOf,
  type ObjectLimit,
} from './quota-counts.ts';
import { QuotaTurns } from './quota-turns.ts';
import { LARGE_BYTES } from './large-objects.ts';
import type { WriteRequest } from './write-request.ts';

/** Creates on other servers may come first; they do not do so for ever. */
const MAX_ATTEMPTS = 100;
/** Quotas that may count one object: each is a key more in its transaction. */
const MAX_QUOTAS = 20;

/** What became of a create, once the quotas were those that it was counted by. */
export type QuotaOutcome = Exclude<CreateOutcome, { outcome: 'outdated' }>;

/** A quota that counts what is created. */
interface Booking {
  readonly quota: Entry;
  readonly limits: readonly ObjectLimit[];
  /** How many there are, without the new one. */
  readonly count: number;
}

const turnsOf = new WeakMap<Replica, QuotaTurns>();

/**
 * Creates an object within the quotas of its namespace. Each quota that counts it
 * changes in the same transaction, on the condition that it still is what this
 * server has counted by. So no create of any server comes between the count and
 * the write, and no two take the same last place. Where no quota counts, this
 * costs a look at the replica.
 *
 * @throws ApiError 403 when a limit would be exceeded
 */
export function withinQuotas<T>(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  create: (updates?: readonly UpdateOperation[]) => Promise<CreateOutcome & T>,
): Promise<QuotaOutcome & T> {
  const { reader } = parts;
  const { target, context } = request;
  if (bookingsOf(parts, request).length === 0) return create().then(unbooked);
  const work = async (before: Revision | undefined): Promise<QuotaOutcome & T> => {
    if (before !== undefined) await reader.freshness.catchUp(before, context.signal);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const bookings = await permitted(parts, request, object);
      const outcome = await create(await updatesOf(bookings));
      if (outcome.outcome !== 'outdated') return outcome;
      await caughtUp(parts, request);
    }
    const why = 'the quotas of the namespace keep changing; please try again';
    throw conflict(target.resource.groupResource, object.metadata.name ?? '', why);
  };
  const turns = turnsOf.get(reader.replica) ?? new QuotaTurns();
  turnsOf.set(reader.replica, turns);
  return turns.run(target.namespace, work, (outcome) =>
    outcome.outcome === 'ok' ? outcome.revision : undefined,
  );
}

function unbooked<T>(outcome: CreateOutcome & T): QuotaOutcome & T {
  if (outcome.outcome === 'outdated') throw new Error('an update that was not asked for');
  return outcome;
}

/** By what this server knows, and for a refusal by what it knows for certain. @throws ApiError 403 */
async function permitted(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
): Promise<Booking[]> {
  const bookings = bookingsOf(parts, request);
  if (refusal(request, object, bookings) === undefined) return bookings;
  await caughtUp(parts, request);
  const present = bookingsOf(parts, request);
  const error = refusal(request, object, present);
  if (error !== undefined) throw error;
  return present;
}

/** All at one revision of the replica. */
function bookingsOf({ reader, catalog }: RegistryParts, { target }: WriteRequest): Booking[] {
  const { replica } = reader;
  const { resource, namespace } = target;
  const bookings: Booking[] = [];
  if (namespace === '') return bookings;
  for (const quota of quotasOf(replica, namespace)) {
    const limits = objectLimits(quota).filter(
      ({ key }) => countedPrefix(catalog, key) === resource.prefix,
    );
    if (limits.length === 0) continue;
    bookings.push({ quota, limits, count: countObjects(replica, resource.prefix, namespace) });
  }
  return bookings;
}

function refusal(
  { target, context }: WriteRequest,
  object: ApiObject,
  bookings: readonly Booking[],
): ApiError | undefined {
  // What the servers agree by is counted, but no quota keeps them from it.
  if (target.namespace === SYSTEM_NAMESPACE && context.user === SYSTEM_USER) return undefined;
  const because = (why: string): ApiError =>
    forbidden(target.resource.groupResource, object.metadata.name ?? '', why);
  if (bookings.length > MAX_QUOTAS) {
    return because(`more than ${MAX_QUOTAS} quotas of the namespace count it`);
  }
  for (const { quota, limits, count } of bookings) {
    const next = Quantity.fromInt64(BigInt(count) + 1n);
    const exceeded = limits
      .filter(({ limit }) => next.isGreaterThan(limit))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (exceeded.length === 0) continue;
    const each = (amount: (limit: Quantity) => string): string =>
      exceeded.map(({ key, limit }) => `${key}=${amount(limit)}`).join(',');
    const used = each(() => String(count));
    return because(
      `exceeded quota: ${quota.name}, requested: ${each(() => '1')}, used: ${used}, limited: ${each(String)}`,
    );
  }
  return undefined;
}

/** The quotas with one object more. */
async function updatesOf(bookings: readonly Booking[]): Promise<UpdateOperation[]> {
  const updates: UpdateOperation[] = [];
  for (const { quota, limits, count } of bookings) {
    if (quota.bytes.length > LARGE_BYTES) await nextTurn();
    const object = objectOf(resourceQuotaSchema, quota.object());
    const used = { ...object.status.used };
    for (const { key } of limits) setOwn(used, key, String(count + 1));
    object.status = { ...object.status, used };
    const key = RESOURCE_QUOTAS_PREFIX + quota.key;
    updates.push({ key, value: encodeStored(object), expected: quota.revision });
  }
  return updates;
}

async function caughtUp({ reader }: RegistryParts, { context }: WriteRequest): Promise<void> {
  const fresh = await reader.freshness.fresh(context.signal ? { signal: context.signal } : {});
  if (!fresh.caughtUp) {
    throw new StoreError('timeout', 'the objects that a quota counts were not loaded in time');
  }
}
