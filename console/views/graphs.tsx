import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Chart, clockTime, shownTime } from '../metrics/chart.tsx';
import { spanOf } from '../metrics/plot.ts';
import { readingError, readings, readMetrics } from '../metrics/readings.ts';
import type { Point } from '../metrics/sampler.ts';
import { Failure, Loading } from '../parts/notice.tsx';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const perSecond = (value: number): string => `${number.format(value)}/s`;
const milliseconds = (value: number): string => `${number.format(value * 1_000)} ms`;
const percent = (value: number): string => `${number.format(value * 100)} %`;
const mebibytes = (value: number): string => `${number.format(value / 2 ** 20)} MiB`;

/** Graphs of the server's own metrics, from the moment on that they were first opened. */
export function Graphs(): JSX.Element {
  useEffect(readMetrics, []);
  const points = readings.value;
  const error = readingError.value;
  if (points.length === 0) return error === undefined ? <Loading /> : <Failure error={error} />;
  const times = points.map(({ time }) => time);
  const axis = { times, span: spanOf(times) };
  const of = (name: string, key: Exclude<keyof Point, 'time'>) => ({
    name,
    values: points.map((point) => point[key]),
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = shownTime.value === undefined ? times.length - 1 : times.indexOf(shownTime.value);
    shownTime.value = times[Math.min(times.length - 1, Math.max(0, at + step))];
  };
  const shown = shownTime.value;
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Graphs</h1>
        <span class="dim">
          {shown === undefined
            ? 'The last 15 minutes at most, since this page was first opened; read every 5 seconds from /metrics, without the readings themselves.'
            : `The values at ${clockTime(shown)}.`}
        </span>
      </header>
      {error && <p class="error">{error.message}</p>}
      <div
        class="charts"
        role="group"
        tabIndex={0}
        aria-label="Graphs: the arrow keys show earlier readings"
        onKeyDown={onKeyDown}
        onBlur={() => (shownTime.value = undefined)}
      >
        <Chart
          title="Requests"
          {...axis}
          format={perSecond}
          series={[of('reads', 'reads'), of('writes', 'writes'), of('failed', 'failures')]}
        />
        <Chart
          title="Latency"
          {...axis}
          format={milliseconds}
          nothing={points.length > 1 ? 'no requests' : '–'}
          series={[of('median', 'p50'), of('99 %', 'p99')]}
        />
        <Chart
          title="Watch streams"
          {...axis}
          format={(value) => number.format(value)}
          series={[of('open', 'streams')]}
        />
        <Chart
          title="Objects in the store"
          {...axis}
          format={(value) => number.format(value)}
          series={[of('objects', 'objects')]}
        />
        <Chart title="Store size" {...axis} format={mebibytes} series={[of('file', 'size')]} />
        <Chart title="Loop lag" {...axis} format={milliseconds} series={[of('99 %', 'lag')]} />
        <Chart title="Processor" {...axis} format={percent} series={[of('of a core', 'cpu')]} />
        <Chart title="Memory" {...axis} format={mebibytes} series={[of('resident', 'memory')]} />
      </div>
    </section>
  );
}
