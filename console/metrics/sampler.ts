import { buckets, parseMetrics, quantile, total, type Sample } from './parse.ts';

/** A moment of the graphs; undefined where nothing was observed. */
export interface Point {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly reads: number | undefined;
  readonly writes: number | undefined;
  readonly failures: number | undefined;
  /** Seconds; undefined: no request was answered. */
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  readonly streams: number;
  readonly objects: number;
  /** Of the file of the store, in bytes; 0: the store does not say. */
  readonly size: number;
  /** Seconds that the event loop was late. */
  readonly lag: number;
  /** Share of a core. */
  readonly cpu: number | undefined;
  /** Bytes. */
  readonly memory: number;
}

const REQUESTS = 'apiserver_request_total';
const DURATIONS = 'apiserver_request_duration_seconds_bucket';
const SIZE = 'apiserver_storage_size_bytes';
const CPU = 'process_cpu_seconds_total';
/** The server's timer counts its own interval of ten milliseconds as lag. */
const LAG_STEP = 0.01;
const WANTED = new Set([
  ...[REQUESTS, DURATIONS, CPU, SIZE, 'plinth_watch_streams', 'apiserver_storage_objects'],
  ...['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'],
]);

const READS = new Set(['GET', 'LIST', 'HEAD']);
/** The path whose reading makes the graphs: on an idle server they would show little else. */
const OWN = '/metrics';
/** Requests that last as long as their client wants. */
const ENDLESS = new Set(['WATCH', 'CONNECT']);

/** What the graphs show of one text of metrics, given the one before. */
export class Sampler {
  #before: { readonly time: number; readonly samples: readonly Sample[] } | undefined;

  /** `time`: when the text was read, in milliseconds. */
  take(text: string, time: number): Point {
    const samples = parseMetrics(text, WANTED);
    const before = this.#before;
    this.#before = { time, samples };
    const seconds = before === undefined ? 0 : (time - before.time) / 1_000;
    const rate = (
      name: string,
      is: (labels: Readonly<Record<string, string>>) => boolean,
    ): number | undefined => {
      if (before === undefined || seconds <= 0) return undefined;
      // a server that has started again counts from zero
      return Math.max(0, total(samples, name, is) - total(before.samples, name, is)) / seconds;
    };
    const isAnswered = ({ verb = '', subresource }: Readonly<Record<string, string>>): boolean =>
      !ENDLESS.has(verb) && subresource !== OWN;
    const share = (part: number): number | undefined =>
      before &&
      quantile(
        part,
        buckets(before.samples, DURATIONS, isAnswered),
        buckets(samples, DURATIONS, isAnswered),
      );
    return {
      time,
      reads: rate(REQUESTS, (labels) => isAnswered(labels) && READS.has(labels.verb ?? '')),
      writes: rate(REQUESTS, (labels) => isAnswered(labels) && !READS.has(labels.verb ?? '')),
      failures: rate(REQUESTS, ({ code = '' }) => code.startsWith('5') || code === '429'),
      p50: share(0.5),
      p99: share(0.99),
      streams: total(samples, 'plinth_watch_streams'),
      objects: total(samples, 'apiserver_storage_objects'),
      size: total(samples, SIZE),
      lag: Math.max(0, total(samples, 'nodejs_eventloop_lag_p99_seconds') - LAG_STEP),
      cpu: rate(CPU, () => true),
      memory: total(samples, 'process_resident_memory_bytes'),
    };
  }
}
