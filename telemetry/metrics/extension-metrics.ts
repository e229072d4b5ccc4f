import { CellFamily, HistogramFamily, type Family } from './family.ts';

const BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** Counts what goes on with conversion webhooks and with the servers of APIServices. */
export class ExtensionMetrics {
  readonly #conversions = new CellFamily(
    'apiserver_crd_conversion_webhook_request_total',
    'counter',
    'Reviews that conversion webhooks were asked for, by outcome.',
    ['result'],
  );
  readonly #conversionSeconds = new HistogramFamily(
    'apiserver_crd_conversion_webhook_duration_seconds',
    'Duration of the reviews of conversion webhooks.',
    BUCKETS,
    ['result'],
  );
  readonly #proxied = new CellFamily(
    'plinth_aggregator_requests_total',
    'counter',
    'Requests that were handed to servers of APIServices, by the status code of the answer.',
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
      yield `# HELP ${name} APIServices whose server cannot be reached: 1, else 0.\n# TYPE ${name} gauge\n`;
      // names are those of objects: DNS labels with dots
      for (const [each, isAvailable] of availability()) {
        yield `${name}{name=${JSON.stringify(each)}} ${isAvailable ? 0 : 1}\n`;
      }
    },
  };
}
