import { parseStoredJson } from '../api/json-parse.ts';
import { inTurns } from '../api/steps.ts';
import { yamlOf } from '../yaml/emit.ts';
import { isLargeForYaml, yamlOfLarge } from '../yaml/large.ts';
import { indentSteps } from './indent.ts';
import type { Representation } from './negotiate.ts';

/** An object by itself, or an item of a list. */
type Place = 'document' | 'item';

/** Items stand in a list, which stands in an object. */
const ITEM_LEVEL = 2;

/**
 * Finished JSON of an object in another layout: YAML, or JSON for people. A large
 * object does not hold the event loop.
 */
export function laidOut(
  json: Buffer,
  { format }: Pick<Representation, 'format'>,
  place: Place,
): Buffer | Promise<Buffer> {
  if (format !== 'yaml') return inTurns(indentSteps(json, place === 'item' ? ITEM_LEVEL : 0));
  if (!isLargeForYaml(json.length)) return Buffer.from(yamlOf(parseStoredJson(json), place));
  return yamlOfLarge(json, place).then((text) => Buffer.from(text));
}
