import type { CallEstimator } from '../types/call-estimate.ts';
import { Range } from '../types/range.ts';
import type { Meter } from '../value/meter.ts';
import { declareFunction, meteredGlobal } from '../types/declaration.ts';
import { BOOL, listType, typeParam } from '../value/type.ts';
import { equal } from '../value/equal.ts';
import { listElements } from '../value/list.ts';
import type { CelList, CelValue } from '../value/value.ts';
import type { Library } from './library.ts';

const LIST = listType(typeParam('T'));

function has(meter: Meter, list: readonly CelValue[], wanted: CelValue): boolean {
  return list.some((value) => equal(value, wanted, meter) === true);
}

function contains(meter: Meter, list: CelList, part: CelList): boolean {
  const elements = listElements(list);
  return listElements(part).every((value) => has(meter, elements, value));
}

function intersects(meter: Meter, a: CelList, b: CelList): boolean {
  const elements = listElements(b);
  return listElements(a).some((value) => has(meter, elements, value));
}

/** Every element against every element, once or in both directions. */
function options(times: number): {
  cost: (a: CelList, b: CelList) => number;
  estimate: CallEstimator;
} {
  return {
    cost: (a, b) => 1 + a.length * b.length * times,
    estimate: ({ args: [a, b], sizeOf }) =>
      a === undefined || b === undefined
        ? undefined
        : { cost: sizeOf(a).multiply(sizeOf(b)).scale(times).add(Range.fixed(1)) },
  };
}

/** Lists as sets. */
export const SETS_LIBRARY: Library = {
  functions: [
    declareFunction(
      'sets.contains',
      meteredGlobal('list_sets_contains_list', [LIST, LIST], BOOL, contains, options(1)),
    ),
    declareFunction(
      'sets.equivalent',
      meteredGlobal(
        'list_sets_equivalent_list',
        [LIST, LIST],
        BOOL,
        (meter, a, b) => contains(meter, a, b) && contains(meter, b, a),
        options(2),
      ),
    ),
    declareFunction(
      'sets.intersects',
      meteredGlobal('list_sets_intersects_list', [LIST, LIST], BOOL, intersects, options(1)),
    ),
  ],
};
