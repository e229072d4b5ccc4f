import type { JSX } from 'preact';

/** A line of a chart. */
interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly title: string;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** How many values a full chart has; the newest stands at the right edge. */
  readonly length: number;
}

const [WIDTH, HEIGHT] = [300, 90];

/** Lines over time. The present values stand in words above them. */
export function Chart({ title, series, format, length }: ChartProps): JSX.Element {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const top = niceTop(Math.max(0, ...all));
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <ul class="legend">
        {series.map(({ name, values }, i) => {
          const now = values.findLast((value) => value !== undefined);
          return (
            <li key={name} class={`series-${i + 1}`}>
              <span class="swatch" aria-hidden="true" />
              {name} <strong>{now === undefined ? '–' : format(now)}</strong>
            </li>
          );
        })}
      </ul>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, at most ${format(top)}`}
      >
        <path
          class="axis"
          d={`M0 0.500H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`}
        />
        {series.map(({ name, values }, i) => (
          <path key={name} class={`plot series-${i + 1}`} d={pathOf(values, top, length)} />
        ))}
      </svg>
      <p class="dim scale">
        <span>0 – {format(top)}</span>
      </p>
    </section>
  );
}

function pathOf(values: readonly (number | undefined)[], top: number, length: number): string {
  let path = '';
  let isDown = false;
  values.forEach((value, i) => {
    if (value === undefined) {
      isDown = false;
      return;
    }
    const x = ((length - values.length + i) / Math.max(1, length - 1)) * WIDTH;
    const y = HEIGHT - 1 - (top === 0 ? 0 : value / top) * (HEIGHT - 2);
    path += `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
  });
  return path;
}

/** A round number that is not below the value. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10;
  return step * power;
}
