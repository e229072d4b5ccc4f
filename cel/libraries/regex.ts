import type { CallEstimator } from '../types/call-estimate.ts';
import { regexEstimate } from '../cost/estimators.ts';
import { Range } from '../types/range.ts';
import type { Meter } from '../value/meter.ts';
import { declareFunction, meteredMember } from '../types/declaration.ts';
import { INT, listType, STRING } from '../value/type.ts';
import type { CelInt } from '../value/int.ts';
import { ArrayList } from '../value/list.ts';
import { regexCost } from '../value/size.ts';
import { CelError, type CelValue } from '../value/value.ts';
import type { Library } from './library.ts';

/** Work of finding one match and keeping it. */
const MATCH_WORK = 800;
/** Work of an instruction for a character, where it is to be told what matches, not only whether. */
const WORK_PER_INSTRUCTION = 10;
/** Each further match may have to look at all that follows, though rarely with every instruction. */
const INSTRUCTIONS_AT_ONCE = 64;

function find(meter: Meter, text: string, pattern: string): CelValue {
  const regex = meter.regex(pattern);
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`);
  meter.work(text.length * regex.instructions * WORK_PER_INSTRUCTION);
  const matcher = regex.compiled.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(meter: Meter, text: string, pattern: string, limit: CelInt = -1): CelValue {
  const regex = meter.regex(pattern);
  if (regex instanceof CelError) return new CelError(`Illegal regex: ${regex.message}`);
  const { compiled, instructions } = regex;
  const further = Math.ceil(instructions / INSTRUCTIONS_AT_ONCE) * WORK_PER_INSTRUCTION;
  meter.work(text.length * instructions * WORK_PER_INSTRUCTION);
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  const count = limit < 0 ? Infinity : Number(limit);
  while (found.length < count && matcher.find()) {
    meter.work(MATCH_WORK + (text.length - matcher.end()) * further);
    found.push(matcher.group() ?? '');
  }
  return new ArrayList(found);
}

const estimate: CallEstimator = ({ target, args, sizeOf }) => {
  const [pattern] = args;
  if (target === undefined || pattern === undefined) return undefined;
  const text = sizeOf(target);
  // At worst every character is a match of its own.
  return { cost: regexEstimate(text, sizeOf(pattern)), size: new Range(0n, text.max) };
};

const options = { cost: regexCost, estimate };

/** Parts of strings that match a pattern. */
export const REGEX_LIBRARY: Library = {
  functions: [
    declareFunction(
      'find',
      meteredMember('string_find_string', [STRING, STRING], STRING, find, options),
    ),
    declareFunction(
      'findAll',
      meteredMember(
        'string_find_all_string',
        [STRING, STRING],
        listType(STRING),
        (meter, text, pattern) => findAll(meter, text, pattern),
        options,
      ),
      meteredMember(
        'string_find_all_string_int',
        [STRING, STRING, INT],
        listType(STRING),
        findAll,
        options,
      ),
    ),
  ],
};
