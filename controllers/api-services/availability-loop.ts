import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../resources/object-of.ts';
import { apiServiceSchema } from '../../resources/apiregistration/api-service-schema.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import {
  API_SERVICE_GROUP,
  API_SERVICE_PLURAL,
  LOCAL_AVAILABLE,
  type ApiService,
} from '../../resources/apiregistration/api-service-types.ts';
import type { Entry } from '../../watch/entry.ts';
import { attemptEach } from '../attempt-each.ts';
import { withFindings, type Finding } from '../conditions.ts';
import { API_SERVICES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';

/** Asks the server of an APIService whether it is there; must end by itself, and must not reject. */
export type Probe = (service: ApiService, signal: AbortSignal) => Promise<ProbeResult>;

export type ProbeResult = Omit<Finding, 'type'>;

/** A server that answers is asked again after this; one that does not sooner, doubling up to it. */
const PERIOD_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
/** Servers that are asked at a time. */
const MAX_CHECKS = 32;

interface Check {
  /** What the server was asked by: another specification needs another answer. */
  readonly asked: string;
  result: ProbeResult | undefined;
  /** Monotonic time from which it is asked again. */
  due: number;
  retryMs: number;
  running: boolean;
}

/**
 * Keeps the condition Available of every APIService. Servers are asked
 * concurrently, outside the steps, so one that hangs does not delay the others.
 * Source: behaviours 9.17.
 */
export class AvailabilityLoop implements Loop {
  readonly name = 'api-service-availability';
  readonly periodMs = PERIOD_MS;
  readonly wokenBy = [API_SERVICES_PREFIX];
  readonly elected = true;
  /** A thousand definitions come with a thousand registrations: those are worth one look, not one each. */
  readonly restMs = 100;
  readonly #parts: RegistryParts;
  readonly #probe: Probe;
  readonly #writer: LoopWriter;
  readonly #checks = new Map<string, Check>();
  /** What is handled here and says so: nothing more will come of it. */
  readonly #settled = new WeakSet<Entry>();
  #running = 0;
  #wake: () => void = () => undefined;
  #term = new AbortController();

  constructor(parts: RegistryParts, probe: Probe) {
    this.#parts = parts;
    this.#probe = probe;
    this.#writer = new LoopWriter(parts);
  }

  readonly wakeOn = (wake: () => void): (() => void) => {
    this.#wake = wake;
    return () => (this.#wake = () => undefined);
  };

  readonly reset = (): void => {
    this.#term.abort(new Error('the term is over'));
    this.#term = new AbortController();
    this.#checks.clear();
    this.#running = 0;
  };

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { catalog, reader, clock } = this.#parts;
    const resource = catalog.findStored(API_SERVICE_GROUP, API_SERVICE_PLURAL);
    if (resource === undefined) throw new Error('the kind of APIServices is missing');
    const { items } = reader.replica.collection(API_SERVICES_PREFIX);
    const names = new Set<string>();
    let written = 0;
    let nextDue = Infinity;
    // a snapshot: what is written while others are looked at must not move them
    await attemptEach(items.snapshot().range(''), { signal }, async (entry) => {
      if (entry.corrupt || this.#settled.has(entry)) return;
      names.add(entry.name);
      const service = objectOf(apiServiceSchema, entry.object());
      const result = this.#resultOf(entry.name, service);
      nextDue = Math.min(nextDue, this.#checks.get(entry.name)?.due ?? Infinity);
      if (result !== undefined && (await this.#write(resource, entry, service, result, signal))) {
        written++;
      }
      if (result === LOCAL_AVAILABLE && saysSo(service, result)) this.#settled.add(entry);
    });
    for (const name of this.#checks.keys()) if (!names.has(name)) this.#checks.delete(name);
    const againAfterMs = Math.max(0, nextDue - clock.monotonic());
    const summary = `${this.#checks.size} servers known, ${this.#running} being asked, ${written} conditions written`;
    return Number.isFinite(againAfterMs) ? { summary, againAfterMs } : { summary };
  }

  /** What is known of an APIService; begins to ask its server when that is due. */
  #resultOf(name: string, service: ApiService): ProbeResult | undefined {
    const { spec } = service;
    if (spec.service === undefined) {
      this.#checks.delete(name);
      return LOCAL_AVAILABLE;
    }
    const asked = JSON.stringify([service.metadata.uid, spec]);
    let check = this.#checks.get(name);
    if (check?.asked !== asked) {
      check = { asked, result: undefined, due: 0, retryMs: FIRST_RETRY_MS, running: false };
      this.#checks.set(name, check);
    }
    const isDue = !check.running && this.#parts.clock.monotonic() >= check.due;
    if (isDue && this.#running < MAX_CHECKS) void this.#ask(check, service);
    return check.result;
  }

  async #ask(check: Check, service: ApiService): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#term;
    check.running = true;
    check.due = Infinity;
    this.#running++;
    const result = await this.#probe(service, signal);
    if (signal.aborted) return;
    this.#running--;
    check.running = false;
    check.result = result;
    const isWell = result.status === 'True';
    check.due = clock.monotonic() + (isWell ? PERIOD_MS : check.retryMs);
    check.retryMs = isWell ? FIRST_RETRY_MS : Math.min(check.retryMs * 2, PERIOD_MS);
    this.#wake();
  }

  async #write(
    resource: ServedResource,
    entry: Entry,
    service: ApiService,
    { status, reason, message }: ProbeResult,
    signal: AbortSignal,
  ): Promise<boolean> {
    const finding = { type: 'Available', status, reason, message };
    const now = this.#parts.clock.now();
    const conditions = withFindings(service.status.conditions, [finding], now);
    if (conditions === undefined) return false;
    const target = { resource, namespace: '', name: entry.name };
    const edit = (object: ApiObject): void => {
      object.status = { ...objectOf(apiServiceSchema, object).status, conditions };
    };
    const options = { subresource: 'status', signal };
    const written = await this.#writer.change(target, seenOf(entry), edit, options);
    return written.outcome === 'done';
  }
}

function saysSo({ status }: ApiService, result: ProbeResult): boolean {
  const condition = status.conditions?.find(({ type }) => type === 'Available');
  return condition?.status === result.status && condition.reason === result.reason;
}
