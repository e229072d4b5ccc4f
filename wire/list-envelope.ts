import type { JsonObject, JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';
import { orderedKeys, yamlText } from '../yaml/emit.ts';

/**
 * What stands around the items of a list: the list is written item by item, so
 * that it never has to be in memory as a whole.
 */
export interface ListEnvelope {
  /** Up to the first item. */
  readonly open: string;
  readonly separator: string;
  /** Behind the last item. */
  readonly close: string;
  /** The whole document of an empty list. */
  readonly empty: string;
}

export interface ListHead {
  /** Fields of the list except its items. */
  readonly fields: JsonObject;
  /** Where the items are: `items`, or `rows` of a table. */
  readonly itemsField: string;
  /** What stands there when there are none: most lists have `[]`. */
  readonly noItems: JsonValue;
}

/** What stands around the items of a list in JSON on one line. */
export function jsonEnvelope({ fields, itemsField, noItems }: ListHead): ListEnvelope {
  const head = stringifyJson(fields).slice(0, -1);
  const start = `${head},${JSON.stringify(itemsField)}:`;
  return {
    open: `${start}[`,
    separator: ',',
    close: ']}\n',
    empty: `${start}${stringifyJson(noItems)}}\n`,
  };
}

const INDENT = 2;

/** The same with two blanks for each level; items stand two levels deep. */
export function prettyEnvelope({ fields, itemsField, noItems }: ListHead): ListEnvelope {
  const head = stringifyJson(fields, INDENT).slice(0, -'\n}'.length);
  const start = `${head},\n  ${JSON.stringify(itemsField)}: `;
  return {
    open: `${start}[\n    `,
    separator: ',\n    ',
    close: '\n  ]\n}\n',
    empty: `${start}${stringifyJson(noItems)}\n}\n`,
  };
}

/** The same as YAML; items come from `yamlItem`. */
export function yamlEnvelope({ fields, itemsField, noItems }: ListHead): ListEnvelope {
  const whole: JsonObject = { ...fields, [itemsField]: noItems };
  const keys = orderedKeys(whole);
  const split = keys.indexOf(itemsField);
  const part = (names: string[]): string =>
    names.length === 0
      ? ''
      : yamlText(Object.fromEntries(names.map((name) => [name, whole[name] as JsonValue])));
  return {
    open: `${part(keys.slice(0, split))}${itemsField}:\n`,
    separator: '',
    close: part(keys.slice(split + 1)),
    empty: yamlText(whole),
  };
}
