/** What part of time a chart shows, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A chart begins with so much room: two minutes. */
const FIRST_SPAN_MS = 120_000;
/** Readings further apart than this had none between them: a line ends there. */
const GAP_MS = 15_000;

/** The span of readings at these times, the newest at its end. */
export function spanOf(times: readonly number[]): Span {
  const to = times.at(-1) ?? 0;
  return { from: Math.min(times[0] ?? to, to - FIRST_SPAN_MS), to };
}

/** Where a time stands in a span: 0 at its beginning, 1 at its end. */
export function shareOf({ from, to }: Span, time: number): number {
  return (time - from) / (to - from);
}

/** The reading that is nearest to a place in the span; undefined without readings. */
export function nearest(times: readonly number[], span: Span, share: number): number | undefined {
  const time = span.from + share * (span.to - span.from);
  let best: number | undefined;
  times.forEach((each, i) => {
    if (best === undefined || Math.abs(each - time) < Math.abs((times[best] ?? 0) - time)) best = i;
  });
  return best;
}

/** The size of a drawing, and the value at its upper edge. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly top: number;
}

/** The line of values at times, as the path of an SVG; it ends where a value is unknown or readings are missing. */
export function pathOf(
  times: readonly number[],
  values: readonly (number | undefined)[],
  span: Span,
  { width, height, top }: Frame,
): string {
  let path = '';
  let last: number | undefined;
  values.forEach((value, i) => {
    const time = times[i] ?? 0;
    if (value === undefined) {
      last = undefined;
      return;
    }
    const x = shareOf(span, time) * width;
    const y = height - 1 - (top === 0 ? 0 : value / top) * (height - 2);
    const isJoined = last !== undefined && time - last <= GAP_MS;
    path += `${isJoined ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    last = time;
  });
  return path;
}

/** A round number that is not below the value. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10;
  return step * power;
}
