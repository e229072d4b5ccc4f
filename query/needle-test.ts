import type { FieldCondition } from './field-conditions.ts';

/** Characters that stand in JSON as they are. */
const PLAIN = /^[\w .:/+-]+$/;
/** A number may stand in JSON in another way: 100 as 1e2. */
const isNumber = (value: string): boolean => !Number.isNaN(Number(value));
/** With more values a look at the object costs less. */
const MAX_NEEDLES = 4;

/**
 * Whether the bytes of an object hold one of the values that a condition asks
 * for, wherever it stands; undefined where that tells nothing.
 */
export function needleTest({
  operator,
  values,
}: FieldCondition): ((bytes: Buffer) => boolean) | undefined {
  if ((operator !== '=' && operator !== 'in') || values.length > MAX_NEEDLES) return undefined;
  if (!values.every((value) => PLAIN.test(value) && !isNumber(value))) return undefined;
  const needles = values.map((value) => Buffer.from(value));
  return (bytes) => needles.some((needle) => bytes.includes(needle));
}
