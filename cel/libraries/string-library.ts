import { declareFunction, meteredMember } from '../types/declaration.ts';
import { DYN, listType, STRING } from '../value/type.ts';
import { walkEstimate } from '../cost/estimators.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import {
  CLASSIC_ACCEPTED,
  formatValidator,
  PLAIN_ACCEPTED,
  type Accepted,
} from './format/check.ts';
import { CLASSIC_STYLE } from './format/classic.ts';
import { formatString, type FormatStyle } from './format/format.ts';
import { PLAIN_STYLE } from './format/plain.ts';
import type { Library } from './library.ts';
import { STRING_EXTENSIONS, STRING_REVERSE } from './strings.ts';

function formatFunction(style: FormatStyle): ReturnType<typeof declareFunction> {
  return declareFunction(
    'format',
    meteredMember(
      'string_format',
      [STRING, listType(DYN)],
      STRING,
      (meter, format, args) => formatString(meter, format, args, style),
      { cost: (format) => walkCost(sizeOf(format)), estimate: walkEstimate() },
    ),
  );
}

function withFormat(style: FormatStyle, accepted: Accepted): Library {
  return {
    functions: [...STRING_EXTENSIONS, formatFunction(style)],
    validators: [formatValidator(accepted)],
    mixedArguments: ['format'],
  };
}

/** String functions as rules have them. */
export const STRINGS_LIBRARY: Library = withFormat(CLASSIC_STYLE, CLASSIC_ACCEPTED);

/** String functions as the language's extension has them today. */
export const PLAIN_STRINGS_LIBRARY: Library = {
  ...withFormat(PLAIN_STYLE, PLAIN_ACCEPTED),
  functions: [...STRING_EXTENSIONS, formatFunction(PLAIN_STYLE), STRING_REVERSE],
};
