import type { AdmissionAttributes, Operation } from '../../admission/attributes.ts';
import type { Decision, DecisionReport, Extension, Outcome } from '../../admission/decisions.ts';
import type { Clock } from '../../api/clock.ts';
import { shortened } from '../../api/shortened.ts';
import { CellFamily, HistogramFamily, OTHER, type Family } from '../../telemetry/metrics/family.ts';

/** Webhooks and policies that are counted; those beyond are not. */
const MAX_EXTENSIONS = 500;
/** Rows of one of them; what else it matches shares a row of its own. */
const MAX_ROWS = 100;
/** Rows of all, without those that are shared: together at most 5,000, of four outcomes each. */
const MAX_ALL_ROWS = 3_000;
/** The last refusals of each that are kept, and the characters of each of their texts. */
const MAX_REFUSALS = 10;
const MAX_TEXT_LENGTH = 512;
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30];

const PREFIX = 'plinth_admission_extension';
const LABELS = ['kind', 'name', 'webhook', 'resource', 'operation'] as const;

/** What is counted for one resource and operation. */
interface Row {
  readonly group: string;
  /** `pods`, `pods/status`; `other` for all that have no row of their own. */
  readonly resource: string;
  readonly operation: Operation;
  readonly counts: Record<Outcome, number>;
  seconds: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

/** A request that was refused, and what the client was told. */
export interface Refusal {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly operation: Operation;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly outcome: Outcome;
  readonly message: string;
}

/** What one webhook or policy has matched since this server runs or it was made. */
export interface Activity {
  readonly extension: Extension;
  readonly rows: ReadonlyMap<string, Row>;
  /** The newest last. */
  readonly refusals: readonly Refusal[];
  /** Since it was asked or evaluated with success. */
  readonly failuresInARow: number;
  /** Milliseconds since 1970; undefined: it has not failed. */
  readonly lastFailureAt: number | undefined;
}

interface Kept extends Activity {
  readonly rows: Map<string, Row>;
  readonly refusals: Refusal[];
  failuresInARow: number;
  lastFailureAt: number | undefined;
}

interface ActivityOptions {
  /** The webhooks and policies that are configured now, by {@link keyOf}. */
  readonly configured: () => ReadonlySet<string>;
  readonly clock: Clock;
}

/** What webhooks and policies of this server match: as metrics, and for `/debug/admission`. */
export class AdmissionActivity {
  readonly #options: ActivityOptions;
  readonly #byKey = new Map<string, Kept>();
  #rows = 0;
  /** When counting began, in milliseconds since 1970. */
  readonly since: number;
  readonly #decisions = new CellFamily(
    `${PREFIX}_decisions_total`,
    'counter',
    'Requests that webhooks and policies matched, by outcome.',
    [...LABELS, 'outcome'],
  );
  readonly #seconds = new HistogramFamily(
    `${PREFIX}_duration_seconds`,
    'Duration of calls to webhooks and of evaluations of policies.',
    BUCKETS,
    LABELS,
  );

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.since = options.clock.now();
  }

  readonly report: DecisionReport = (extension, attributes, decision) => {
    const kept = this.#of(extension);
    if (kept === undefined) return;
    const row = this.#rowOf(kept, attributes);
    const labels = labelsOf(extension, row);
    row.counts[decision.outcome]++;
    row.seconds += decision.seconds;
    row.lastAt = this.#options.clock.now();
    const isFailure = decision.outcome === 'failed';
    kept.failuresInARow = isFailure ? kept.failuresInARow + 1 : 0;
    if (isFailure) kept.lastFailureAt = row.lastAt;
    this.#decisions.with(...labels, decision.outcome).value++;
    this.#seconds.with(...labels).observe(decision.seconds);
    if (decision.refusal === undefined) return;
    kept.refusals.push(refusalOf(attributes, decision, decision.refusal, row.lastAt));
    if (kept.refusals.length > MAX_REFUSALS) kept.refusals.shift();
  };

  /** Of each webhook and policy that is configured and has matched something. */
  all(): Iterable<Activity> {
    this.#forgetDeleted();
    return this.#byKey.values();
  }

  families(): Family[] {
    return [this.#decisions, this.#seconds].map((family) => ({
      name: family.name,
      lines: () => {
        this.#forgetDeleted();
        return family.lines();
      },
    }));
  }

  #of(extension: Extension): Kept | undefined {
    const key = keyOf(extension);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    if (this.#byKey.size >= MAX_EXTENSIONS) this.#forgetDeleted();
    if (this.#byKey.size >= MAX_EXTENSIONS) return undefined;
    const made: Kept = {
      ...{ extension, rows: new Map(), refusals: [] },
      ...{ failuresInARow: 0, lastFailureAt: undefined },
    };
    this.#byKey.set(key, made);
    return made;
  }

  #rowOf({ rows }: Kept, { resource, subresource, operation }: AdmissionAttributes): Row {
    const { group, resource: plural } = resource;
    const full = subresource === '' ? plural : `${plural}/${subresource}`;
    const known = rows.get(rowKey(group, full, operation));
    if (known !== undefined) return known;
    const hasRoom = rows.size < MAX_ROWS && this.#rows < MAX_ALL_ROWS;
    const [of, what] = hasRoom ? [group, full] : ['', OTHER];
    const key = rowKey(of, what, operation);
    const shared = rows.get(key);
    if (shared !== undefined) return shared;
    const row: Row = {
      ...{ group: of, resource: what, operation, seconds: 0, lastAt: 0 },
      counts: { allowed: 0, noted: 0, refused: 0, failed: 0 },
    };
    rows.set(key, row);
    this.#rows++;
    return row;
  }

  #forgetDeleted(): void {
    const configured = this.#options.configured();
    for (const [key, { extension, rows }] of this.#byKey) {
      if (configured.has(key)) continue;
      this.#byKey.delete(key);
      this.#rows -= rows.size;
      for (const row of rows.values()) this.#forget(labelsOf(extension, row));
    }
  }

  #forget(labels: readonly string[]): void {
    for (const outcome of ['allowed', 'noted', 'refused', 'failed']) {
      this.#decisions.drop(this.#decisions.with(...labels, outcome));
    }
    this.#seconds.drop(this.#seconds.with(...labels));
  }
}

/** A webhook or policy as one text; one that is made again under its name is another. */
export function keyOf({ kind, uid, webhook }: Omit<Extension, 'name'>): string {
  return `${kind} ${uid} ${webhook}`;
}

function rowKey(group: string, resource: string, operation: Operation): string {
  return `${operation} ${resource}.${group}`;
}

function labelsOf(
  { kind, name, webhook }: Extension,
  { group, resource, operation }: Row,
): readonly string[] {
  return [kind, name, webhook, group === '' ? resource : `${resource}.${group}`, operation];
}

function refusalOf(
  { resource, subresource, operation, namespace, name, user }: AdmissionAttributes,
  { outcome }: Decision,
  message: string,
  at: number,
): Refusal {
  return {
    ...{ at, group: resource.group, resource: resource.resource, subresource, operation },
    ...{ namespace: copied(namespace), name: copied(name), user: copied(user.name), outcome },
    message: copied(message),
  };
}

/**
 * A shortened copy. Names arrive here before they are validated. Without the copy,
 * a part of a string would keep the whole string in memory: the body of the request.
 */
function copied(text: string): string {
  return Buffer.from(shortened(text, MAX_TEXT_LENGTH), 'utf16le').toString('utf16le');
}
