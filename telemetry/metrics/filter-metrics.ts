import type { Family } from './family.ts';

const NAME = 'plinth_filter_evaluations_total';

/** How often expressions of filters were evaluated; `count` tells the number so far. */
export function filterFamily(count: () => number): Family {
  return {
    name: NAME,
    *lines() {
      yield `# HELP ${NAME} Evaluations of filter expressions: one for each object and filter, also when many requests share the filter.\n`;
      yield `# TYPE ${NAME} counter\n${NAME} ${count()}\n`;
    },
  };
}
