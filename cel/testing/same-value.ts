import { listElements } from '../value/list.ts';
import { describe } from '../value/describe.ts';
import { equal } from '../value/equal.ts';
import { Meter } from '../value/meter.ts';
import { runtimeType } from '../value/type-of.ts';
import { CelBytes, CelDouble, CelList, CelMap, type CelValue } from '../value/value.ts';

/** Equality as the suites ask for it: of the same type all the way down, and NaN is NaN. */
export function sameValue(a: CelValue, b: CelValue): boolean {
  if (runtimeType(a).name !== runtimeType(b).name) return false;
  if (a instanceof CelList && b instanceof CelList) {
    return a.length === b.length && listElements(a).every((item, i) => sameValue(item, b.at(i)));
  }
  if (a instanceof CelMap && b instanceof CelMap) {
    return a.size === b.size && a.keys().every((key) => sameEntry(a, b, key));
  }
  if (a instanceof CelDouble && b instanceof CelDouble) {
    return Object.is(a.value, b.value) || a.value === b.value;
  }
  return equal(a, b, new Meter(Infinity)) === true;
}

function sameEntry(a: CelMap, b: CelMap, key: CelValue): boolean {
  const value = a.get(key);
  const other = b.get(key);
  return value !== undefined && other !== undefined && sameValue(value, other);
}

export function show(value: CelValue): string {
  if (value instanceof CelList) return `[${listElements(value).map(show).join(', ')}]`;
  if (value instanceof CelMap) {
    return `{${value
      .keys()
      .map((key) => `${show(key)}: ${show(value.get(key) ?? null)}`)
      .join(', ')}}`;
  }
  if (value instanceof CelBytes) return `b'${Buffer.from(value.value).toString('hex')}'`;
  return `${describe(value)} (${runtimeType(value).name})`;
}
