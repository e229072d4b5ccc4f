/*
 * Counters, gauges and histograms for hot paths: a series is found by its values
 * alone, or kept by the caller, and then costs an addition. prom-client, which
 * keeps everything else, hashes all labels at every call, three microseconds for
 * what a request is counted by.
 */

/** Stands for all names that clients send and the server does not serve. */
export const OTHER = 'other';

/** All series of one name, as the text format of Prometheus shows them. */
export interface Family {
  readonly name: string;
  /** Pieces of text, each of some lines. */
  lines(): IterableIterator<string>;
}

type Labels = readonly string[];

/** Between values: no name of anything that is served has it. */
const SEPARATOR = '\0';

/** A last bound, whatever labels are asked for: what comes beyond shares one series. */
export const MAX_SERIES = 20_000;

abstract class SeriesFamily<S extends object> implements Family {
  readonly name: string;
  readonly #head: string;
  readonly #labelNames: Labels;
  /** By their values; in one text, which is found faster than their labels would be made. */
  readonly #series = new Map<string, { readonly labels: string; readonly series: S }>();
  readonly #keyOf = new WeakMap<S, string>();

  constructor(
    name: string,
    type: 'counter' | 'gauge' | 'histogram',
    help: string,
    labelNames: Labels,
  ) {
    this.name = name;
    this.#head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    this.#labelNames = labelNames;
  }

  get size(): number {
    return this.#series.size;
  }

  /** The series with these values of the labels, in the order of their names; made when it is new. */
  with(...values: string[]): S {
    const key = values.join(SEPARATOR);
    const found = this.#series.get(key);
    if (found !== undefined) return found.series;
    if (this.#series.size >= MAX_SERIES && values.some((value) => value !== OTHER)) {
      return this.with(...values.map(() => OTHER));
    }
    const series = this.make();
    this.#series.set(key, { labels: this.#labelsText(values), series });
    this.#keyOf.set(series, key);
    return series;
  }

  /** Forgets a series; counts on a reference to it are lost. */
  drop(series: S): void {
    const key = this.#keyOf.get(series);
    if (key !== undefined) this.#series.delete(key);
  }

  *lines(): IterableIterator<string> {
    yield this.#head;
    for (const { labels, series } of this.#series.values()) yield this.text(labels, series);
  }

  #labelsText(values: Labels): string {
    return values
      .map((value, i) => `${this.#labelNames[i] ?? ''}="${escapeLabel(value)}"`)
      .join(',');
  }

  protected abstract make(): S;
  protected abstract text(labels: string, series: S): string;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));
}

/** A number that goes up, or for a gauge also down. */
export interface Cell {
  value: number;
}

export class CellFamily extends SeriesFamily<Cell> {
  protected override make(): Cell {
    return { value: 0 };
  }

  protected override text(labels: string, { value }: Cell): string {
    return labels === '' ? `${this.name} ${value}\n` : `${this.name}{${labels}} ${value}\n`;
  }
}

export class Histogram {
  readonly #bounds: readonly number[];
  /** Observations per bucket, the last one above all bounds; not added up. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i++;
    this.counts[i] = (this.counts[i] as number) + 1;
    this.sum += value;
  }
}

export class HistogramFamily extends SeriesFamily<Histogram> {
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, bounds: readonly number[], labelNames: Labels) {
    super(name, 'histogram', help, labelNames);
    this.#bounds = bounds;
  }

  protected override make(): Histogram {
    return new Histogram(this.#bounds);
  }

  protected override text(labels: string, { counts, sum }: Histogram): string {
    const open = labels === '' ? '{' : `{${labels},`;
    const all = labels === '' ? '' : `{${labels}}`;
    let total = 0;
    let text = '';
    counts.forEach((count, i) => {
      total += count;
      text += `${this.name}_bucket${open}le="${this.#bounds[i] ?? '+Inf'}"} ${total}\n`;
    });
    return `${text}${this.name}_sum${all} ${sum}\n${this.name}_count${all} ${total}\n`;
  }
}
