import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { apiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import type { ApiRequest, ApiResponse } from '../../http/message.ts';
import { slabs } from '../../http/slabs.ts';
import { gitVersion, PLINTH_VERSION } from '../../discovery/version.ts';
import { AccessMetrics } from './access-metrics.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import type { Family } from './family.ts';
import { HealthMetrics } from './health-metrics.ts';
import { LoadMetrics } from './load-metrics.ts';
import { mergedPages } from './merged-pages.ts';
import { METRICS_PAGE, type Peers } from './peers.ts';
import type { ServedNames } from './request-labels.ts';
import { RequestMetrics } from './request-metrics.ts';
import { WatchMetrics } from './watch-metrics.ts';

interface MetricsOptions {
  /** The catalog: labels are made only of what is served. */
  readonly served: ServedNames;
  readonly clock: Clock;
  /** Other processes on the same port: the process that is asked answers for all. */
  readonly peers?: Peers | undefined;
}

const SLI_PAGE = '/metrics/slis';
/** Names come behind numbers. */
const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/**
 * Everything that the server counts, by the names that dashboards and alert
 * rules know (behaviours 1.14), and `/metrics`, which shows it. What has no
 * method here is registered in `registry`, with all that prom-client offers.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly slis = new Registry();
  readonly requests: RequestMetrics;
  readonly load: LoadMetrics;
  readonly watches: WatchMetrics;
  readonly access = new AccessMetrics();
  readonly admission: AdmissionMetrics;
  readonly health: HealthMetrics;
  readonly #families: Family[];
  readonly #peers: Peers | undefined;

  constructor({ served, clock, peers }: MetricsOptions) {
    this.#peers = peers;
    peers?.onAsked((page) => this.#textOf(page));
    this.requests = new RequestMetrics(served);
    this.load = new LoadMetrics(this.registry, served, clock);
    this.watches = new WatchMetrics(served);
    this.admission = new AdmissionMetrics(this.registry);
    this.health = new HealthMetrics(this.slis);
    const parts = [this.requests, this.load, this.watches, this.access, this.admission];
    this.#families = parts.flatMap((part) => part.families());
    new Gauge({
      name: 'plinth_build_info',
      help: 'Always 1; the labels contain the version.',
      labelNames: ['version', 'api_version', 'node_version'],
      registers: [this.registry],
    }).set(
      { version: PLINTH_VERSION, api_version: gitVersion(), node_version: process.version },
      1,
    );
  }

  /** Series for hot paths that other parts make. */
  addFamilies(families: readonly Family[]): void {
    this.#families.push(...families);
  }

  /** CPU, memory, event loop, garbage collection; observers that live as long as the process. */
  collectProcessMetrics(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  paths(): string[] {
    return [METRICS_PAGE, SLI_PAGE];
  }

  /** Answers `/metrics` and `/metrics/slis`; undefined for any other path. */
  handle(request: ApiRequest): ApiResponse | undefined {
    const { rawPath, method } = request;
    if (rawPath !== METRICS_PAGE && rawPath !== SLI_PAGE) return undefined;
    if (method !== 'GET' && method !== 'HEAD') {
      throw apiError(405, 'MethodNotAllowed', 'metrics can only be read', {});
    }
    const headers = { 'content-type': this.registry.contentType };
    return { status: 200, headers, body: slabs(() => this.#everybodys(rawPath)) };
  }

  /** This process's page, or what all processes on the port show of it. */
  async #everybodys(page: string): Promise<Iterable<string>> {
    const peers = this.#peers;
    if (peers === undefined) return this.#lines(page);
    const others = peers.ask(page);
    const own = { worker: peers.own, text: await this.#textOf(page) };
    const pages = [own, ...(await others)];
    return mergedPages(pages.sort((a, b) => BY_NUMBER.compare(a.worker, b.worker)));
  }

  async #textOf(page: string): Promise<string> {
    return [...(await this.#lines(page))].join('');
  }

  async #lines(page: string): Promise<Iterable<string>> {
    return page === SLI_PAGE
      ? [await this.slis.metrics()]
      : this.#withFamilies(await this.registry.metrics());
  }

  *#withFamilies(text: string): IterableIterator<string> {
    yield text;
    for (const family of this.#families) yield* family.lines();
  }
}
