import type { ApiObject } from '../api/object.ts';
import { conflict } from '../api/api-error.ts';
import { NO_REVISION, type Revision } from '../api/revision.ts';
import type { CreateOutcome, Guard, Store, StoredItem } from '../storage/interface.ts';
import type { CreatePrecondition } from './create-precondition.ts';
import { openDefinition } from './open-definition.ts';
import { openNamespace } from './open-namespace.ts';
import type { RegistryParts } from './parts.ts';
import type { QuotaOutcome } from './within-quotas.ts';
import type { WriteRequest } from './write-request.ts';

/** A precondition may change while something is created under it; it does not do so for ever. */
const MAX_ATTEMPTS = 20;

/** What became of it while what it was created under was open. */
export type OpenOutcome = Exclude<QuotaOutcome, { outcome: 'guarded' }>;

/**
 * Creates an object only while its definition (of a custom one) and its
 * namespace are open. What has been looked at so far is a replica, which may lag
 * behind the mark of deletion; so the transaction itself is conditional on the
 * revisions that are judged here, and repeated when one of them has changed.
 * What is marked therefore never gets new content, from no server, and once
 * empty stays empty. Each time this server knows the definition of the revision
 * in the guard, so `create`, which is shown what became of the attempt before, can
 * judge the object by its present schema.
 *
 * @throws ApiError 404 without one of them, 403 while one is being deleted (also as rejection)
 */
export function createWhileOpen<T>(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  create: Attempts<T>['create'],
): Promise<OpenOutcome & T> {
  const preconditions = [
    openDefinition(parts, request),
    openNamespace(parts, request, object),
  ].filter((precondition) => precondition !== undefined);
  const attempts = { parts, request, object, create, preconditions };
  const guards: Guard[] = [];
  for (const { key, known } of preconditions) {
    if (known === undefined) return untilOpen(attempts);
    guards.push({ key, revision: known });
  }
  // nearly always the first attempt is the only one
  return create(guards, undefined).then((outcome) =>
    outcome.outcome === 'guarded' ? untilOpen(attempts, outcome, outcome.guard) : outcome,
  );
}

interface Attempts<T> {
  readonly parts: RegistryParts;
  readonly request: WriteRequest;
  readonly object: ApiObject;
  readonly create: (
    guards: readonly Guard[],
    before: (QuotaOutcome & T) | undefined,
  ) => Promise<QuotaOutcome & T>;
  readonly preconditions: readonly CreatePrecondition[];
}

/** `first`: what became of the first attempt, and the guard that it met. */
async function untilOpen<T>(
  { parts, request, object, create, preconditions }: Attempts<T>,
  first?: QuotaOutcome & T,
  met?: Guard,
): Promise<OpenOutcome & T> {
  const guards = new Map<string, Guard>();
  for (const precondition of preconditions) {
    const { key, known } = precondition;
    guards.set(key, { key, revision: known ?? (await judged(parts.store, precondition)) });
  }
  let changing = '';
  const judgeAgain = async ({ key }: Guard): Promise<void> => {
    const failed = preconditions.find((precondition) => precondition.key === key);
    if (failed === undefined) throw new Error('the store found a guard that was not set');
    guards.set(key, { key, revision: await judged(parts.store, failed) });
    changing = failed.what;
  };
  let outcome = first;
  if (met !== undefined) await judgeAgain(met);
  for (let attempt = met === undefined ? 0 : 1; attempt < MAX_ATTEMPTS; attempt++) {
    outcome = await create([...guards.values()], outcome);
    if (outcome.outcome !== 'guarded') return outcome;
    await judgeAgain(outcome.guard);
  }
  const why = `${changing} keeps changing; please try again`;
  throw conflict(request.target.resource.groupResource, object.metadata.name ?? '', why);
}

/**
 * What {@link Store.create} would answer, without a write: for dry runs.
 */
export async function createPreview(
  store: Store,
  key: string,
  guards: readonly Guard[],
): Promise<CreateOutcome> {
  const current = await stored(store, key);
  if (current !== undefined) return { outcome: 'exists', current };
  for (const guard of guards) {
    const item = await stored(store, guard.key);
    if (item?.revision !== guard.revision) return { outcome: 'guarded', guard };
  }
  return { outcome: 'ok', revision: NO_REVISION };
}

async function judged(
  store: Store,
  { key, judge, catchUp }: CreatePrecondition,
): Promise<Revision> {
  const revision = judge(await stored(store, key));
  await catchUp?.(revision);
  return revision;
}

async function stored(store: Store, key: string): Promise<StoredItem | undefined> {
  const { item } = await store.get(key);
  return item;
}
