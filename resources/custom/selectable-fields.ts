import { getPath, scalarText, type JsonObject } from '../../api/json.ts';
import type { CrdVersion } from '../apiextensions/crd-types.ts';
import { keysOfPath } from '../apiextensions/simple-path.ts';

type SelectableFields = ReadonlyMap<string, (object: JsonObject) => string>;

const NONE: SelectableFields = new Map();

/**
 * The fields that selectors may name (`spec.color`), and how they read: text, and
 * '' for what is absent. Source: specification 3, section 2.1; behaviours 7.14.
 */
export function customSelectableFields({ selectableFields }: CrdVersion): SelectableFields {
  if (selectableFields === undefined || selectableFields.length === 0) return NONE;
  return new Map(
    selectableFields.map(({ jsonPath }) => {
      const keys = keysOfPath(jsonPath);
      return [keys.join('.'), (object) => scalarText(getPath(object, ...keys)) ?? ''];
    }),
  );
}
