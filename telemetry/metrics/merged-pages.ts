import type { WorkerPage } from './peers.ts';

/**
 * The metrics of several processes as one page: every series with the label
 * `worker`, and the series of a name together under one head, as the text
 * format of Prometheus wants them. One piece for each name.
 */
export function* mergedPages(pages: readonly WorkerPage[]): IterableIterator<string> {
  const families = new Map<string, { readonly head: string[]; readonly series: string[] }>();
  for (const { worker, text } of pages) {
    let family: { head: string[]; series: string[] } = { head: [], series: [] };
    let isKnown = false;
    for (const line of text.split('\n')) {
      const name = /^# HELP (\S+)/.exec(line)?.[1];
      if (name !== undefined) {
        const known = families.get(name);
        isKnown = known !== undefined;
        family = known ?? { head: [], series: [] };
        families.set(name, family);
      }
      if (line.startsWith('#')) {
        if (!isKnown) family.head.push(line);
      } else if (line !== '') {
        family.series.push(labelled(line, worker));
      }
    }
  }
  for (const { head, series } of families.values()) yield `${[...head, ...series].join('\n')}\n`;
}

const SERIES = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;

function labelled(line: string, worker: string): string {
  const [, name = '', labels = '', value = ''] = SERIES.exec(line) ?? [];
  const rest = labels === '' ? '' : `,${labels}`;
  return `${name}{worker="${worker}"${rest}} ${value}`;
}
