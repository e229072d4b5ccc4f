import { objectOf } from '../../resources/object-of.ts';
import { namespaceSchema } from '../../resources/core/namespace.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { NAMESPACE_FINALIZER } from '../../api/naming.ts';
import type { ApiObject } from '../../api/object.ts';
import { isTerminating } from '../../registry/namespaces.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Entry } from '../../watch/entry.ts';
import { attemptEach } from '../attempt-each.ts';
import { withFindings } from '../conditions.ts';
import { Kinds } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';
import { Attention } from './attention.ts';
import { NamespaceContent, type Budget, type Emptied } from './content.ts';
import { findingsOf, type Survey } from './findings.ts';
import { NO_REMOTE_CONTENT, type RemoteContent, type RemoteSurvey } from './remote-content.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';

/** Objects deleted per step; the rest is left to the next one. */
const MAX_DELETIONS = 500;
/** Namespaces looked at per step. */
const MAX_NAMESPACES = 100;

/** `finished`: there is nothing more to do for it; `again`: there is, beyond what one step may. */
type Progress = 'finished' | 'waiting' | 'failing' | 'again';

/**
 * Empties namespaces that are being deleted, says what they wait for, and lets
 * them go.
 *
 * Why nothing is left behind: every create in a namespace is conditional, in the
 * transaction of the store, on the revision of the namespace that admission has
 * judged (registry/create.ts). The mark of deletion moves that revision, so from
 * the mark on no create succeeds, on any server, however far behind its replica
 * is. The replica here shows the mark, hence everything that came before it:
 * when it shows no key under the namespace, there is none and never will be.
 */
export class NamespaceLoop implements Loop {
  readonly name = 'namespaces';
  readonly periodMs = 60_000;
  readonly wokenBy = [NAMESPACES_PREFIX];
  readonly elected = true;
  readonly restMs = 50;
  readonly #parts: RegistryParts;
  readonly #remote: RemoteContent;
  readonly #writer: LoopWriter;
  readonly #content: NamespaceContent;
  #attention: Attention;

  constructor(parts: RegistryParts, remote: RemoteContent = NO_REMOTE_CONTENT) {
    this.#parts = parts;
    this.#remote = remote;
    this.#writer = new LoopWriter(parts);
    this.#content = new NamespaceContent(parts, new Kinds(parts.catalog));
    this.#attention = new Attention(parts.reader.replica);
  }

  reset(): void {
    this.#attention = new Attention(this.#parts.reader.replica);
  }

  wakeOn(wake: () => void): () => void {
    const { catalog, reader } = this.#parts;
    const ends = [
      reader.replica.onBatch(() => {
        if (this.#attention.behind) wake();
      }),
      catalog.onChange(() => {
        this.#attention.touchAll();
        wake();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { clock } = this.#parts;
    const due = this.#attention.due(clock.monotonic());
    const budget: Budget = { left: MAX_DELETIONS };
    const count = { finished: 0, waiting: 0, failing: 0, again: 0 };
    await attemptEach(due.slice(0, MAX_NAMESPACES), { signal }, async (name) => {
      try {
        count[await this.#advance(name, budget, signal)]++;
      } catch (error) {
        this.#wait(name, true);
        throw error;
      }
    });
    const now = clock.monotonic();
    const again = count.again > 0 || due.length > MAX_NAMESPACES;
    const left = this.#attention.terminating - count.finished;
    return {
      summary: `${count.finished} finished, ${left} being deleted, ${MAX_DELETIONS - budget.left} objects deleted`,
      ...(again ? { again } : { againAfterMs: this.#attention.nextIn(now) }),
    };
  }

  async #advance(name: string, budget: Budget, signal: AbortSignal): Promise<Progress> {
    const entry = this.#namespace(name);
    // It may have gone since it was found to be due, and another one have come.
    if (entry === undefined || entry.corrupt || !isTerminating(entry)) return 'finished';
    const object = entry.object();
    const target = this.#target(name);
    if (finalizersOf(object).length === 0) return this.#finishMarked(target, entry, signal);

    this.#attention.follow(this.#content.prefixes(name));
    const isStill = (): boolean => this.#isStill(entry);
    const emptied = await this.#content.empty(name, isStill, budget, signal);
    if (!isStill()) return 'finished';
    const remote = await this.#remote.purge(name, signal);
    // What was deleted a moment ago must not be counted.
    if (emptied.deleted > 0) await this.#parts.reader.freshness.fresh({ signal });
    if (emptied.unfinished) return 'again';
    const survey = this.#survey(name, emptied, remote);
    const told = await this.#tell(target, entry, survey, signal);
    const isEmpty = survey.remaining.length === 0 && survey.failures.length === 0;
    if (told !== undefined && isEmpty) return this.#finalize(target, told, signal);
    const isFailing =
      told === undefined ||
      emptied.stale > 0 ||
      survey.failures.length > 0 ||
      remote.remaining.length > 0;
    return this.#wait(name, isFailing);
  }

  #survey(name: string, emptied: Emptied, remote: RemoteSurvey): Survey {
    const elsewhere = remote.remaining.map((one) => ({
      ...one,
      heldBy: new Map<string, string[]>(),
    }));
    return {
      undiscovered: [...emptied.undiscovered, ...remote.unavailable],
      failures: [...emptied.failures, ...remote.failures],
      remaining: [...this.#content.remaining(name), ...elsewhere],
    };
  }

  /** `isFailing`: looked at again soon, and not sooner for anything that changes. */
  #wait(name: string, isFailing: boolean): Progress {
    const prefixes = this.#content.prefixes(name);
    this.#attention.wait(name, prefixes, this.#parts.clock.monotonic(), isFailing);
    return isFailing ? 'failing' : 'waiting';
  }

  /** Nothing but metadata.finalizers may hold it back; without those, a server has died between two writes. */
  async #finishMarked(target: Target, entry: Entry, signal: AbortSignal): Promise<Progress> {
    const { finalizers = [] } = entry.metadata();
    if (finalizers.length > 0) return this.#wait(target.name, false);
    const { outcome } = await this.#writer.remove(target, seenOf(entry), { signal });
    return outcome === 'stale' ? this.#wait(target.name, true) : 'finished';
  }

  /** The namespace as it is now; undefined: others have changed it meanwhile. */
  async #tell(
    target: Target,
    entry: Entry,
    survey: Survey,
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    const present = getPath(entry.object(), 'status', 'conditions');
    const conditions = withFindings(present, findingsOf(survey), this.#parts.clock.now());
    if (conditions === undefined) return entry;
    const result = await this.#writer.change(
      target,
      seenOf(entry),
      (object) => {
        object.status = { ...objectOf(namespaceSchema, object).status, conditions };
      },
      { subresource: 'status', signal },
    );
    return result.outcome === 'done' ? result.entry : undefined;
  }

  /** Takes the server's own finalizer off; the namespace goes with the last one. */
  async #finalize(target: Target, entry: Entry, signal: AbortSignal): Promise<Progress> {
    const others = finalizersOf(entry.object()).filter((name) => name !== NAMESPACE_FINALIZER);
    if (others.length === finalizersOf(entry.object()).length)
      return this.#wait(target.name, false);
    const edit = (object: ApiObject): void => {
      object.spec = { ...objectOf(namespaceSchema, object).spec, finalizers: others };
    };
    const options = { subresource: 'finalize', signal };
    const { outcome } = await this.#writer.change(target, seenOf(entry), edit, options);
    return outcome === 'stale' ? this.#wait(target.name, true) : 'finished';
  }

  /** False: it is gone, and another one may have its name. */
  #isStill(entry: Entry): boolean {
    const present = this.#namespace(entry.name);
    if (present === undefined || present === entry) return present === entry;
    return !present.corrupt && seenOf(present).uid === seenOf(entry).uid;
  }

  #namespace(name: string): Entry | undefined {
    return this.#parts.reader.replica.collection(NAMESPACES_PREFIX).items.get(name);
  }

  #target(name: string): Target {
    const resource = this.#parts.catalog.find('', 'v1', 'namespaces');
    if (resource === undefined) throw new Error('the namespace kind is missing');
    return { resource, namespace: '', name };
  }
}

function finalizersOf(namespace: JsonObject): readonly string[] {
  const finalizers = getPath(namespace, 'spec', 'finalizers');
  return Array.isArray(finalizers) ? finalizers.filter((one) => typeof one === 'string') : [];
}
