import type { Steps } from '../api/steps.ts';
import { writtenPattern } from '../cel/value/pattern.ts';
import type { StructuralSchema } from './structure/structural.ts';

/** A pattern that takes longer to compile, in nanoseconds as estimated, is compiled in a step of its own. */
const SLOW_WORK = 1_000_000;

/** The patterns of a schema that take long to compile, each once. */
export function* slowPatterns(schema: StructuralSchema): Steps<readonly string[]> {
  const found = new Set<string>();
  yield* collect(schema, found);
  return [...found];
}

function* collect(schema: StructuralSchema, found: Set<string>): Steps<void> {
  yield;
  const { keywords, items, properties, additionalProperties: others } = schema;
  if (keywords !== undefined) {
    const { pattern, allOf, anyOf, oneOf, not } = keywords;
    if (pattern !== '' && writtenPattern(pattern).work > SLOW_WORK) found.add(pattern);
    for (const list of [allOf, anyOf, oneOf]) for (const one of list) yield* collect(one, found);
    if (not !== undefined) yield* collect(not, found);
  }
  if (items !== undefined) yield* collect(items, found);
  if (typeof others === 'object') yield* collect(others, found);
  for (const property of properties?.values() ?? []) yield* collect(property, found);
}
