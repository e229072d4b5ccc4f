import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { send, sentenceOf } from '../api/http.ts';
import { Chart } from '../metrics/chart.tsx';
import { Sampler, type Point } from '../metrics/sampler.ts';
import { Failure, Loading } from '../parts/notice.tsx';

/** How often the metrics are read, and how many readings a chart shows: a quarter of an hour. */
const EVERY_MS = 5_000;
/** The first rates need a second reading, which comes sooner. */
const SECOND_MS = 1_000;
const LENGTH = 180;
/** Readings that a chart has room for at first: two minutes. */
const FIRST_LENGTH = 24;

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const perSecond = (value: number): string => `${number.format(value)}/s`;
const milliseconds = (value: number): string => `${number.format(value * 1_000)} ms`;
const percent = (value: number): string => `${number.format(value * 100)} %`;
const mebibytes = (value: number): string => `${number.format(value / 2 ** 20)} MiB`;

/** Graphs of the server's own metrics, from the moment on that the page was opened. */
export function Graphs(): JSX.Element {
  const points = useSignal<readonly Point[]>([]);
  const error = useSignal<Error | undefined>(undefined);
  useEffect(() => {
    const sampler = new Sampler();
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      try {
        const { text } = await send('GET', '/metrics', {
          accept: 'text/plain',
          signal: abort.signal,
        });
        points.value = [...points.value, sampler.take(text, Date.now())].slice(-LENGTH);
        error.value = undefined;
      } catch (failure) {
        if (!abort.signal.aborted)
          error.value = failure instanceof Error ? failure : new Error(sentenceOf(failure));
      }
    };
    void read();
    const second = setTimeout(() => void read(), SECOND_MS);
    const timer = setInterval(() => void read(), EVERY_MS);
    return () => {
      clearTimeout(second);
      clearInterval(timer);
      abort.abort();
    };
  }, []);
  if (points.value.length === 0)
    return error.value === undefined ? <Loading /> : <Failure error={error.value} />;
  const of = (name: string, key: Exclude<keyof Point, 'time'>) => ({
    name,
    values: points.value.map((point) => point[key]),
  });
  const length = Math.max(FIRST_LENGTH, points.value.length);
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Graphs</h1>
        <span class="dim">
          Up to 15 minutes while this page is open; read every 5 seconds from /metrics.
        </span>
      </header>
      {error.value && <p class="error">{error.value.message}</p>}
      <div class="charts">
        <Chart
          title="Requests"
          length={length}
          format={perSecond}
          series={[of('reads', 'reads'), of('writes', 'writes'), of('failed', 'failures')]}
        />
        <Chart
          title="Latency"
          length={length}
          format={milliseconds}
          series={[of('median', 'p50'), of('99 %', 'p99')]}
        />
        <Chart
          title="Watch streams"
          length={length}
          format={(value) => number.format(value)}
          series={[of('open', 'streams')]}
        />
        <Chart
          title="Objects in the store"
          length={length}
          format={(value) => number.format(value)}
          series={[of('objects', 'objects')]}
        />
        <Chart
          title="Store size"
          length={length}
          format={mebibytes}
          series={[of('file', 'size')]}
        />
        <Chart
          title="Loop lag"
          length={length}
          format={milliseconds}
          series={[of('99 %', 'lag')]}
        />
        <Chart
          title="Processor"
          length={length}
          format={percent}
          series={[of('of a core', 'cpu')]}
        />
        <Chart
          title="Memory"
          length={length}
          format={mebibytes}
          series={[of('resident', 'memory')]}
        />
      </div>
    </section>
  );
}
