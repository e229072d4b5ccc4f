import { STRING_COST } from './size.ts';
import { CelBytes, CelList, CelMap, type CelValue } from './value.ts';

/** Values with more parts cost more than any budget has, so counting need not go on. */
const MAX_PARTS = 2_000_000;

/** Steps to walk through a value and everything in it; Infinity for one that is too large. */
export function traversalCost(value: CelValue): number {
  const left = { parts: MAX_PARTS };
  const cost = walk(value, left);
  return left.parts < 0 ? Infinity : cost;
}

function walk(value: CelValue, left: { parts: number }): number {
  if (--left.parts < 0) return 0;
  // Rounded down, unlike everywhere else: short strings are free.
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * STRING_COST);
  if (value instanceof CelBytes) return Math.trunc(value.value.length * STRING_COST);
  let cost = 0;
  if (value instanceof CelList) {
    for (let i = 0; i < value.length && left.parts >= 0; i++) cost += walk(value.at(i), left);
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) cost += walk(key, left) + walk(value.get(key) ?? null, left);
  return cost;
}
