import { countCodePoints } from '../source.ts';
import { CelBytes, CelList, CelMap, CelObject, CelOptional, type CelValue } from './value.ts';

/** Steps per character when a string is walked once. */
export const STRING_COST = 0.1;
/** Steps per character of a pattern. */
export const REGEX_COST = 0.25;

/** What `size(x)` counts, and 1 for values that have no size: the unit of the cost model. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return countCodePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof CelList) return value.length;
  if (value instanceof CelMap) return value.size;
  if (value instanceof CelBytes) return value.value.length;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : sizeOf(value.value);
  return value instanceof CelObject ? value.size : 1;
}

/** Steps to walk a value of that size, `times` over. */
export function walkCost(size: number, times = 1): number {
  return Math.ceil(size * times * STRING_COST);
}

/** Steps to compare two values: the shorter one decides. */
export function comparisonCost(a: CelValue, b: CelValue): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const shorter = a.length < b.length ? a : b;
    if (shorter.length <= 1 / STRING_COST) return shorter.length === 0 ? 0 : 1;
    // a longer string with pairs of code units in it may still be the smaller one
    if (a.length > 2 * b.length || b.length > 2 * a.length) return walkCost(sizeOf(shorter));
  }
  return walkCost(Math.min(sizeOf(a), sizeOf(b)));
}

/** Steps to match a pattern against a string. The empty string still costs its pattern. */
export function regexCost(text: string, pattern: string): number {
  return (
    Math.ceil((1 + countCodePoints(text)) * STRING_COST) *
    Math.ceil(countCodePoints(pattern) * REGEX_COST)
  );
}
