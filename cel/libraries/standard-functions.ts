import {
  declareFunction,
  globalOverload,
  memberOverload,
  meteredGlobal,
  meteredMember,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import { BOOL, BYTES, INT, listType, mapType, STRING, typeParam } from '../value/type.ts';
import type { Meter } from '../value/meter.ts';
import { countCodePoints } from '../source.ts';
import { keyWork } from '../value/map.ts';
import { regexCost, sizeOf, walkCost } from '../value/size.ts';
import { CelError, type CelMap, type CelValue } from '../value/value.ts';

const LIST = listType(typeParam('A'));
const MAP = mapType(typeParam('A'), typeParam('B'));

function matches(meter: Meter, text: string, pattern: string): CelValue {
  const regex = meter.regex(pattern);
  if (regex instanceof CelError) return regex;
  meter.match(text.length, regex);
  return regex.compiled.test(text);
}

function mapSize(meter: Meter, { size }: CelMap): number {
  meter.work(keyWork(size));
  return size;
}

const walkFirst = { cost: (text: string): number => walkCost(sizeOf(text)) };
const search = {
  cost: (text: string, part: string): number => walkCost(sizeOf(text)) * walkCost(sizeOf(part)),
};

/** `size` and the string functions of the language definition. */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  declareFunction(
    'size',
    globalOverload('size_bytes', [BYTES], INT, (b) => b.value.length),
    memberOverload('bytes_size', [BYTES], INT, (b) => b.value.length),
    globalOverload('size_list', [LIST], INT, (list) => list.length),
    memberOverload('list_size', [LIST], INT, (list) => list.length),
    meteredGlobal('size_map', [MAP], INT, mapSize),
    meteredMember('map_size', [MAP], INT, mapSize),
    globalOverload('size_string', [STRING], INT, countCodePoints),
    memberOverload('string_size', [STRING], INT, countCodePoints),
  ),
  declareFunction(
    'contains',
    memberOverload('contains_string', [STRING, STRING], BOOL, (s, t) => s.includes(t), search),
  ),
  declareFunction(
    'endsWith',
    memberOverload('ends_with_string', [STRING, STRING], BOOL, (s, t) => s.endsWith(t), walkFirst),
  ),
  declareFunction(
    'startsWith',
    memberOverload(
      'starts_with_string',
      [STRING, STRING],
      BOOL,
      (s, t) => s.startsWith(t),
      walkFirst,
    ),
  ),
  declareFunction(
    'matches',
    meteredGlobal('matches', [STRING, STRING], BOOL, matches, { cost: regexCost }),
    meteredMember('matches_string', [STRING, STRING], BOOL, matches, { cost: regexCost }),
  ),
];
