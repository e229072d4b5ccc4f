import { ApiError } from '../api/api-error.ts';
import { systemNamespaces, type KubernetesNames } from '../api/naming.ts';
import type { Revision } from '../api/revision.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import type { RequestContext } from '../registry/context.ts';
import { create } from '../registry/create.ts';
import { isStoreError } from '../storage/errors.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { DEFAULT_WRITE_OPTIONS } from '../registry/write-options.ts';

/** How long the replica may take to show what has just been written. */
const CATCH_UP_MS = 10_000;

/** Requests that the server makes of itself. */
function systemContext(manager: string, signal?: AbortSignal): RequestContext {
  return {
    user: SYSTEM_USER,
    warnings: new Warnings(),
    audit: new Map(),
    signal,
    defaultManager: manager,
  };
}

/**
 * Without room the server starts all the same: it serves reads and deletes, and
 * what is missing is made at the next start.
 */
export async function unlessFull(
  work: Promise<void>,
  onProblem: (message: string, error: unknown) => void,
): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isStoreError(error, 'outOfSpace')) throw error;
    onProblem('the store has no room for what every installation has', error);
  }
}

/**
 * Creates what every installation has. Several servers may do so at the same
 * time; what exists is left alone. In an empty store, history
 * begins here.
 */
export async function bootstrap(parts: RegistryParts, names: KubernetesNames): Promise<void> {
  const namespaces = parts.catalog.find('', 'v1', 'namespaces');
  if (namespaces === undefined) throw new Error('the namespace kind is missing');
  const wanted = systemNamespaces(names);
  let created = 0;
  let newest: Revision | undefined;
  for (const name of wanted) {
    const key = namespaces.prefix + name;
    if (parts.reader.replica.collection(namespaces.prefix).items.get(name) !== undefined) continue;
    const { item } = await parts.store.get(key);
    if (item !== undefined) continue;
    const request = {
      context: systemContext('plinth'),
      target: { resource: namespaces, namespace: '', name: '' },
      subresource: '',
      options: DEFAULT_WRITE_OPTIONS,
    };
    const value = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    try {
      const { entry } = await create(parts, request, { value, duplicates: [] });
      newest = entry?.revision;
      created++;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
  }
  if (created < wanted.length || newest === undefined) return;
  const { replica } = parts.reader;
  if (await replica.waitFor(newest, CATCH_UP_MS)) replica.beginHistoryAt(newest);
  await parts.store.compact(newest);
}
