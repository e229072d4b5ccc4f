import { BINDINGS_LIBRARY } from '../libraries/bindings.ts';
import { ENCODERS_LIBRARY } from '../libraries/encoders.ts';
import type { Library } from '../libraries/library.ts';
import { MATH_LIBRARY } from '../libraries/math.ts';
import { OPTIONALS_LIBRARY } from '../libraries/optionals.ts';
import { PLAIN_STRINGS_LIBRARY } from '../libraries/string-library.ts';
import { TWO_VARIABLE_LIBRARY } from '../libraries/two-variable.ts';
import { BLOCK_LIBRARY } from './block-library.ts';

/** Everything the published suites use. */
export const ALL_LIBRARIES: readonly Library[] = [
  OPTIONALS_LIBRARY,
  BINDINGS_LIBRARY,
  TWO_VARIABLE_LIBRARY,
  PLAIN_STRINGS_LIBRARY,
  MATH_LIBRARY,
  ENCODERS_LIBRARY,
  BLOCK_LIBRARY,
];
