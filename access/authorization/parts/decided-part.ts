import { forbidden } from '../../../api/api-error.ts';
import { inParallel } from '../../../api/in-parallel.ts';
import { ALL } from '../../../resources/rbac/rules.ts';
import type { Entry } from '../../../watch/entry.ts';
import type { DecidedRights } from '../../../watch/rights.ts';
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../authorizer.ts';
import { refusalOf } from '../refusal.ts';

/** Questions to other servers about one answer, and for one change of a stream's rights. */
const MAX_ASKED_ELSEWHERE = 2_000;
/** Of them under way at once. */
const ASKED_AT_ONCE = 16;

interface OfNamespace {
  readonly isWhole: boolean;
  /** Names that rules give; each is confirmed when its object is met. */
  readonly names: ReadonlySet<string>;
  readonly confirmed: Map<string, boolean>;
}

type Maybe<T> = T | Promise<T>;

/**
 * The part of a collection that a user may see, as far as it has been asked for:
 * the namespaces in which the request would be allowed, and the objects that it
 * would be allowed for by their names. Each namespace is asked about once.
 */
export class DecidedPart implements DecidedRights {
  readonly #authorizer: Authorizer;
  readonly #attributes: AuthorizationAttributes;
  readonly #namespaces = new Map<string, OfNamespace>();
  readonly #pending = new Map<string, Promise<OfNamespace>>();
  #askedElsewhere = 0;

  /** `attributes`: of the request for the whole. */
  constructor(authorizer: Authorizer, attributes: AuthorizationAttributes) {
    this.#authorizer = authorizer;
    this.#attributes = attributes;
  }

  /** Other servers took part in it, which may change their minds without telling. */
  get isFromElsewhere(): boolean {
    return this.#askedElsewhere > 0;
  }

  prepare(entries: readonly Entry[]): Promise<void> | undefined {
    for (const [i, entry] of entries.entries()) {
      const wait = this.#decide(entry);
      if (wait !== undefined) return this.#decideRest(wait, entries.slice(i + 1));
    }
    return undefined;
  }

  allows({ namespace, name }: Entry): boolean {
    const of = this.#namespaces.get(namespace);
    return of !== undefined && (of.isWhole || of.confirmed.get(name) === true);
  }

  isSame(other: DecidedPart, namespace: string): boolean {
    const [a, b] = [this.#namespaces.get(namespace), other.#namespaces.get(namespace)];
    if (a?.isWhole === true || b?.isWhole === true) return a?.isWhole === b?.isWhole;
    return isEmpty(a) && isEmpty(b);
  }

  async #decideRest(first: Promise<void>, entries: readonly Entry[]): Promise<void> {
    await first;
    await inParallel(entries, ASKED_AT_ONCE, async (entry) => this.#decide(entry));
  }

  #decide({ namespace, name }: Entry): Promise<void> | undefined {
    const of = this.#namespaces.get(namespace) ?? this.#pending.get(namespace);
    const known = of ?? this.#decideNamespace(namespace);
    if (known instanceof Promise) {
      return known.then(async (later) => this.#confirm(later, namespace, name));
    }
    return this.#confirm(known, namespace, name);
  }

  #decideNamespace(namespace: string): Maybe<OfNamespace> {
    const isWhole = this.#ask(namespace, '');
    const keep = (whole: boolean): OfNamespace => {
      const names = whole ? NO_NAMES : this.#namesIn(namespace);
      const of = { isWhole: whole, names, confirmed: new Map<string, boolean>() };
      this.#namespaces.set(namespace, of);
      return of;
    };
    if (!(isWhole instanceof Promise)) return keep(isWhole);
    const pending = isWhole.then(keep).finally(() => this.#pending.delete(namespace));
    this.#pending.set(namespace, pending);
    return pending;
  }

  #confirm(of: OfNamespace, namespace: string, name: string): Promise<void> | undefined {
    if (of.isWhole || !of.names.has(name) || of.confirmed.has(name)) return undefined;
    const isAllowed = this.#ask(namespace, name);
    if (isAllowed instanceof Promise) {
      return isAllowed.then((allowed) => void of.confirmed.set(name, allowed));
    }
    of.confirmed.set(name, isAllowed);
    return undefined;
  }

  /** No authorizer can be asked for everything that it allows by name, except for rules. */
  #namesIn(namespace: string): ReadonlySet<string> {
    const { user, resource } = this.#attributes;
    const rules = this.#authorizer.rulesFor(user, namespace)?.resourceRules ?? [];
    const names = new Set<string>();
    for (const { resources, resourceNames } of rules) {
      if (resourceNames.length === 0) continue;
      if (!resources.includes(resource) && !resources.includes(ALL)) continue;
      for (const name of resourceNames) names.add(name);
    }
    return names.size === 0 ? NO_NAMES : names;
  }

  /** @throws ApiError 403 when too many questions would have to go to other servers */
  #ask(namespace: string, name: string): Maybe<boolean> {
    const asked = { ...this.#attributes, namespace, name };
    const decision = this.#authorizer.authorize(asked);
    if (!(decision instanceof Promise)) return isAllowed(asked, decision);
    if (++this.#askedElsewhere > MAX_ASKED_ELSEWHERE) {
      decision.catch(() => undefined);
      const { group, resource } = asked;
      const why = `an authorization webhook would have to be asked more than ${MAX_ASKED_ELSEWHERE} times for the part that user ${JSON.stringify(asked.user.name)} may see; ask for one namespace`;
      throw forbidden({ group, resource }, '', why);
    }
    return decision.then((later) => isAllowed(asked, later));
  }
}

/** Where nothing has been decided nothing was allowed. */
function isEmpty(of: OfNamespace | undefined): boolean {
  return of === undefined || of.names.size === 0;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** @throws ApiError 500 when it could not be decided */
function isAllowed(asked: AuthorizationAttributes, decision: AuthorizationDecision): boolean {
  if (decision.decision === 'allow') return true;
  if (decision.error !== undefined) throw refusalOf(asked, decision);
  return false;
}
