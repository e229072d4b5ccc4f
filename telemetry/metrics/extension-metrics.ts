import { CellFamily, HistogramFamily, type Family } from './family.ts';

const BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** Counts what goes on with conversion webhooks and with the servers of APIServices. */
export class ExtensionMetrics {
  readonly #conversions = new CellFamily(
    'apiserver_crd_conversion_webhook_request_total',
    'counter',
    'Calls to conversion webhooks by outcome.',
    ['result'],
  );
  readonly #conversionSeconds = new HistogramFamily(
    'apiserver_crd_conversion_webhook_duration_seconds',
    'Duration of calls to conversion webhooks.',
    BUCKETS,
    ['result'],
  );
  readonly #proxied = new CellFamily(
    'plinth_aggregator_requests_total',
    'counter',
    'Requests that were forwarded to servers of APIServices, by the status code of the response.',
    ['name', 'code'],
  );
  converted(succeeded: boolean, seconds: number): void {
    const result = succeeded ? 'success' : 'failure';
    this.#conversions.with(result).value++;
    this.#conversionSeconds.with(result).observe(seconds);
  }

  proxied(name: string, code: number): void {
    this.#proxied.with(name, String(code)).value++;
  }

  families(): Family[] {
    return [this.#conversions, this.#conversionSeconds, this.#proxied];
  }
}

/** `availability`: of every APIService with a service, by name. */
export function unavailableFamily(
  availability: () => Iterable<readonly [name: string, available: boolean]>,
): Family {
  const name = 'aggregator_unavailable_apiservice';
  return {
    name,
    *lines() {
      yield `# HELP ${name} 1 when the server of the APIService is unreachable, otherwise 0.\n# TYPE ${name} gauge\n`;
      // names are those of objects: DNS labels with dots
      for (const [each, isAvailable] of availability()) {
        yield `${name}{name=${JSON.stringify(each)}} ${isAvailable ? 0 : 1}\n`;
      }
    },
  };
}
