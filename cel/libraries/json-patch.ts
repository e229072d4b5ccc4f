import { declareFunction, globalOverload } from '../types/declaration.ts';
import { STRING } from '../value/type.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { walkEstimate } from '../cost/estimators.ts';
import type { Library } from './library.ts';

/** Keys as they stand in the paths of a JSON patch. */
export const JSON_PATCH_LIBRARY: Library = {
  functions: [
    declareFunction(
      'jsonpatch.escapeKey',
      globalOverload(
        'string_jsonpatch_escapeKey_string',
        [STRING],
        STRING,
        (key) => key.replaceAll('~', '~0').replaceAll('/', '~1'),
        { cost: (key) => walkCost(sizeOf(key)), estimate: walkEstimate(1, true) },
      ),
    ),
  ],
};
