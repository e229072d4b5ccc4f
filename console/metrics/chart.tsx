import { signal } from '@preact/signals';
import type { JSX, TargetedPointerEvent } from 'preact';
import { nearest, niceTop, pathOf, shareOf, type Span } from './plot.ts';

/** A line of a chart. */
interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Of the readings, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly span: Span;
  /** What stands in place of a value where nothing was observed; absent: the last one known. */
  readonly nothing?: string;
}

const known = (values: Series['values']): number | undefined =>
  values.findLast((each) => each !== undefined);
const [WIDTH, HEIGHT] = [300, 90];
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The time of the reading that all charts show in words; undefined: the newest. */
export const shownTime = signal<number | undefined>(undefined);

/** A moment of a chart in the user's own time. */
export function clockTime(time: number): string {
  return CLOCK.format(time);
}

/** Lines over time. The values of one reading stand in words above them. */
export function Chart({ title, series, format, times, span, nothing }: ChartProps): JSX.Element {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const frame = { width: WIDTH, height: HEIGHT, top: niceTop(Math.max(0, ...all)) };
  const shown = shownTime.value;
  const at = shown === undefined ? -1 : times.indexOf(shown);
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const found = nearest(times, span, (clientX - left) / width);
    shownTime.value = found === undefined ? undefined : times[found];
  };
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <ul class="legend">
        {series.map(({ name, values }, i) => {
          const value =
            at >= 0 ? values[at] : nothing === undefined ? known(values) : values.at(-1);
          return (
            <li key={name} class={`series-${i + 1}`}>
              <span class="swatch" aria-hidden="true" />
              {name} <strong>{value === undefined ? (nothing ?? '–') : format(value)}</strong>
            </li>
          );
        })}
      </ul>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, at most ${format(frame.top)}`}
        onPointerMove={point}
        onPointerLeave={() => (shownTime.value = undefined)}
      >
        <path
          class="axis"
          d={`M0 0.500H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`}
        />
        {shown !== undefined && (
          <path class="moment" d={`M${(shareOf(span, shown) * WIDTH).toFixed(1)} 0V${HEIGHT}`} />
        )}
        {series.map(({ name, values }, i) => (
          <path key={name} class={`plot series-${i + 1}`} d={pathOf(times, values, span, frame)} />
        ))}
      </svg>
      <p class="dim scale">
        <span>{clockTime(span.from)}</span>
        <span>0 – {format(frame.top)}</span>
        <span>{clockTime(span.to)}</span>
      </p>
    </section>
  );
}
