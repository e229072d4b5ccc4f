import { CellFamily, HistogramFamily, type Cell, type Family, type Histogram } from './family.ts';
import {
  labelValues,
  othersOf,
  requestLabels,
  type RequestKey,
  type RequestLabels,
  type ServedNames,
} from './request-labels.ts';

/** One request that is over. */
export interface FinishedRequest extends RequestKey {
  readonly code: number;
  readonly seconds: number;
  /** Of that, waiting for others (webhooks, queues): not the server's own doing. */
  readonly waitedSeconds?: number;
  readonly responseBytes: number;
  readonly dryRun: '' | 'All' | 'invalid';
}

/** kube-apiserver's buckets, and finer ones below 5 ms. */
const REQUEST_BUCKETS = [
  0.001, 0.0025, 0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10,
  15, 20, 30, 45, 60,
];
const SLI_BUCKETS = REQUEST_BUCKETS.filter((bound) => bound >= 0.05);
const SIZE_BUCKETS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Label sets beyond this many are counted as `other`, whatever clients ask for. */
export const MAX_REQUEST_SERIES = 2_000;

const LABELS = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];

/** Everything that one kind of request is counted by. */
interface RequestSeries {
  readonly key: RequestKey;
  /** Label values from group to component. */
  readonly labels: readonly string[];
  readonly verb: string;
  readonly dryRun: string;
  readonly codes: Map<number, Cell>;
  readonly duration: Histogram;
  /** Undefined for dry runs. */
  readonly sli: Histogram | undefined;
  /** Undefined for requests that do not read. */
  readonly sizes: Histogram | undefined;
}

/**
 * Counts requests: `apiserver_request_total` and its kin. A series is found by
 * the request's labels; names that are not served count as `other`, so clients
 * cannot create series. Names and labels: behaviours 1.14.
 */
export class RequestMetrics {
  readonly #served: ServedNames;
  /** By resource: the few series of one are told apart without a text that names them all. */
  readonly #series = new Map<string, RequestSeries[]>();
  #size = 0;
  #prunedAt = -1;
  readonly #total = new CellFamily(
    'apiserver_request_total',
    'counter',
    'Requests by verb, dry run, group, version, resource, subresource, scope, component and code.',
    ['verb', 'dry_run', ...LABELS, 'code'],
  );
  readonly #duration = new HistogramFamily(
    'apiserver_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    REQUEST_BUCKETS,
    ['verb', 'dry_run', ...LABELS],
  );
  readonly #sli = new HistogramFamily(
    'apiserver_request_sli_duration_seconds',
    'Like apiserver_request_duration_seconds, without the time in webhooks and queues.',
    SLI_BUCKETS,
    ['verb', ...LABELS],
  );
  readonly #sizes = new HistogramFamily(
    'apiserver_response_sizes',
    'Bytes of responses to reads.',
    SIZE_BUCKETS,
    ['verb', ...LABELS],
  );

  constructor(served: ServedNames) {
    this.#served = served;
  }

  families(): Family[] {
    return [this.#total, this.#duration, this.#sli, this.#sizes];
  }

  observe(request: FinishedRequest): void {
    const series = this.#find(request);
    let total = series.codes.get(request.code);
    if (total === undefined) {
      const { verb, dryRun, labels } = series;
      total = this.#total.with(verb, dryRun, ...labels, String(request.code));
      series.codes.set(request.code, total);
    }
    total.value++;
    series.duration.observe(request.seconds);
    series.sli?.observe(request.seconds - (request.waitedSeconds ?? 0));
    series.sizes?.observe(request.responseBytes);
  }

  #find(request: FinishedRequest): RequestSeries {
    const ofResource = this.#series.get(request.resource);
    const found = ofResource?.find((series) => isOf(series, request));
    if (found !== undefined) return found;
    const labels = requestLabels(request, this.#served);
    // Only what is served has a series of its own name: anything else may have any number of names.
    if (!labels.known) return this.#make(request, labels);
    if (this.#size >= MAX_REQUEST_SERIES) this.#prune();
    if (this.#size >= MAX_REQUEST_SERIES) {
      return this.#make(request, { ...labels, ...othersOf(request.scope) });
    }
    const series = this.#make(request, labels);
    if (ofResource === undefined) this.#series.set(request.resource, [series]);
    else ofResource.push(series);
    this.#size++;
    return series;
  }

  #make(request: FinishedRequest, of: RequestLabels): RequestSeries {
    const { verb } = of;
    const labels = labelValues(of);
    const { dryRun } = request;
    const { group, version, resource, subresource, scope } = request;
    return {
      key: { verb: request.verb, group, version, resource, subresource, scope },
      labels,
      verb,
      dryRun,
      codes: new Map(),
      duration: this.#duration.with(verb, dryRun, ...labels),
      sli: dryRun === '' ? this.#sli.with(verb, ...labels) : undefined,
      sizes: verb === 'GET' || verb === 'LIST' ? this.#sizes.with(verb, ...labels) : undefined,
    };
  }

  /** Forgets series of kinds that are no longer served, once after each change of the catalog. */
  #prune(): void {
    if (this.#prunedAt === this.#served.generation) return;
    this.#prunedAt = this.#served.generation;
    for (const [resource, all] of this.#series) {
      const kept = all.filter(
        ({ key }) =>
          resource === '' || this.#served.find(key.group, key.version, resource) !== undefined,
      );
      if (kept.length > 0) this.#series.set(resource, kept);
      else this.#series.delete(resource);
      this.#size -= all.length - kept.length;
      for (const series of all) if (!kept.includes(series)) this.#drop(series);
    }
  }

  #drop(series: RequestSeries): void {
    this.#duration.drop(series.duration);
    for (const cell of series.codes.values()) this.#total.drop(cell);
    if (series.sli !== undefined) this.#sli.drop(series.sli);
    if (series.sizes !== undefined) this.#sizes.drop(series.sizes);
  }
}

/** Is it the series of such requests, of the same resource? What differs most often is looked at first. */
function isOf({ key, dryRun }: RequestSeries, request: FinishedRequest): boolean {
  return (
    key.verb === request.verb &&
    key.subresource === request.subresource &&
    key.scope === request.scope &&
    dryRun === request.dryRun &&
    key.version === request.version &&
    key.group === request.group
  );
}
