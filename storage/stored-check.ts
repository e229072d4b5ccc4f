import { isCompactObject } from '../api/json-check.ts';

/** How every object that a server stores begins. */
const HEAD = /^\{"apiVersion":"[^"]*","kind":"[^"]*","metadata":\{/;
const LONGEST_HEAD = 512;

/** True when a value begins as an object that a server has stored. */
export function beginsAsStored(value: Buffer): boolean {
  return HEAD.test(value.toString('latin1', 0, LONGEST_HEAD));
}

/** True when a value is whole, and in the form in which a server stores objects. Costs less than to parse it. */
export function isAsStored(value: Buffer): boolean {
  return beginsAsStored(value) && isCompactObject(value);
}
