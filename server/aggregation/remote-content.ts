import type { Clock } from '../../api/clock.ts';
import { parseLargeJson } from '../../api/json-parse.ts';
import { getPath, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { RemoteContent, RemoteSurvey } from '../../controllers/namespaces/remote-content.ts';
import type { ApiServiceRecord, ApiServices, RemoteService } from './api-services.ts';
import type { RemoteCaller } from './remote-caller.ts';
import type { RemoteDocuments } from './remote-documents.ts';

/** For all that is asked of one server on behalf of one namespace. */
const TIMEOUT_MS = 5_000;
/** A server that could not be asked is left alone for so long: others wait for the same loop. */
const PAUSE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Objects that one step deletes where a collection cannot be deleted at once. */
const MAX_DELETIONS = 200;

interface RemoteContentParts {
  readonly services: ApiServices;
  readonly documents: RemoteDocuments;
  readonly caller: RemoteCaller;
  readonly clock: Clock;
}

interface Findings {
  readonly unavailable: string[];
  readonly failures: string[];
  readonly remaining: { resource: string; count: number }[];
}

class Unavailable extends Error {}

/**
 * Empties namespaces on the servers of APIServices, all of them side by side and
 * in bounded time. One that cannot be asked is told of and holds nothing up.
 */
export class RemoteContents implements RemoteContent {
  readonly #parts: RemoteContentParts;
  /** Monotonic time until which servers are left alone, by the name of their APIService. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(parts: RemoteContentParts) {
    this.#parts = parts;
  }

  async purge(namespace: string, signal: AbortSignal): Promise<RemoteSurvey> {
    const findings: Findings = { unavailable: [], failures: [], remaining: [] };
    const { services } = this.#parts;
    await Promise.all(
      [...services.list()].map(async (record) => {
        const { remote, name } = record;
        if (remote === undefined) return;
        const isPaused = this.#isPaused(name);
        if (!remote.available || isPaused) {
          findings.unavailable.push(`${record.group}/${record.version}: service unavailable`);
          return;
        }
        await this.#purgeVersion(record, remote, { namespace, signal, findings });
      }),
    );
    return findings;
  }

  async #purgeVersion(
    record: ApiServiceRecord,
    remote: RemoteService,
    { namespace, signal, findings }: { namespace: string; signal: AbortSignal; findings: Findings },
  ): Promise<void> {
    const { group, version, name } = record;
    const { clock } = this.#parts;
    const deadline = clock.monotonic() + TIMEOUT_MS;
    for (const resource of this.#resourcesOf(record)) {
      const base = `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/${resource.name}`;
      try {
        const ask = this.#asker(remote, deadline, signal);
        const left = await emptied(ask, base, resource);
        if (left > 0)
          findings.remaining.push({ resource: `${resource.name}.${group}`, count: left });
      } catch (error) {
        const { message } = error as Error;
        if (!(error instanceof Unavailable)) {
          findings.failures.push(`${resource.name}.${group}: ${message}`);
          continue;
        }
        findings.unavailable.push(`${group}/${version}: ${message}`);
        this.#pausedUntil.set(name, clock.monotonic() + PAUSE_MS);
        return;
      }
    }
  }

  #isPaused(name: string): boolean {
    const until = this.#pausedUntil.get(name);
    if (until === undefined) return false;
    if (this.#parts.clock.monotonic() < until) return true;
    this.#pausedUntil.delete(name);
    return false;
  }

  /** Namespaced resources whose objects can be deleted. */
  #resourcesOf({ group, version }: ApiServiceRecord): Resource[] {
    const registration = this.#parts.documents
      .list()
      .find((one) => one.group === group && one.version === version);
    return (registration?.remote?.resources ?? []).flatMap((item) => resourceOf(item) ?? []);
  }

  #asker(remote: RemoteService, deadline: number, signal: AbortSignal): Ask {
    const { caller, clock } = this.#parts;
    return async (method, path) => {
      const timeoutMs = deadline - clock.monotonic();
      if (timeoutMs <= 0) throw new Unavailable('it takes too long');
      const call = { method, path, timeoutMs, maxBytes: MAX_BYTES, signal };
      const { status, body } = await caller.call(remote, call).catch((error: unknown) => {
        throw new Unavailable((error as Error).message, { cause: error });
      });
      if (status >= 500) throw new Unavailable(`it answers ${status}`);
      return { status, body };
    };
  }
}

interface Resource {
  readonly name: string;
  readonly verbs: ReadonlySet<string>;
}

/** @throws Unavailable */
type Ask = (method: string, path: string) => Promise<{ status: number; body: Buffer }>;

function resourceOf(item: JsonObject): Resource | undefined {
  const { resource, scope, verbs } = item;
  if (typeof resource !== 'string' || scope !== 'Namespaced' || !Array.isArray(verbs)) {
    return undefined;
  }
  const known = new Set(verbs.filter((verb) => typeof verb === 'string'));
  const canDelete = known.has('deletecollection') || (known.has('delete') && known.has('list'));
  return canDelete ? { name: resource, verbs: known } : undefined;
}

/** Deletes a collection and tells how many objects are left. */
async function emptied(ask: Ask, base: string, { verbs }: Resource): Promise<number> {
  let isAsked = false;
  if (verbs.has('deletecollection')) {
    const { status } = await ask('DELETE', base);
    isAsked = status < 300;
    // what a server says it can and then does not do is done one by one
    if (!isAsked && status !== 404 && status !== 405) throw new Error(`DELETE answers ${status}`);
  }
  if (!verbs.has('list')) return 0;
  const names = await namesIn(ask, base);
  if (isAsked || !verbs.has('delete')) return names.length;
  for (const name of names.slice(0, MAX_DELETIONS)) {
    const { status } = await ask('DELETE', `${base}/${encodeURIComponent(name)}`);
    if (status >= 300 && status !== 404) throw new Error(`DELETE of ${name} answers ${status}`);
  }
  return (await namesIn(ask, base)).length;
}

async function namesIn(ask: Ask, base: string): Promise<string[]> {
  const { status, body } = await ask('GET', base);
  if (status === 404) return [];
  if (status >= 300) throw new Error(`GET answers ${status}`);
  let list: JsonValue;
  try {
    list = (await parseLargeJson(body.toString('utf8'))).value;
  } catch (error) {
    throw new Error('its list is not valid JSON', { cause: error });
  }
  const items = getPath(list, 'items');
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    const name = getPath(item, 'metadata', 'name');
    return typeof name === 'string' ? [name] : [];
  });
}
