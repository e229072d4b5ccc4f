import type { CompletionContext, CompletionResult, Completion } from '@codemirror/autocomplete';
import { shortText } from '../api/json.ts';
import { contextAt } from '../schema/yaml-context.ts';
import {
  describe,
  itemOf,
  resolved,
  schemaAt,
  type Schema,
  type Schemas,
} from '../schema/schema.ts';
import type { KindSchema } from '../schema/documents.ts';

/** Completion of keys and values by the published schema. */
export function completionFor(ofKind: () => KindSchema) {
  return (context: CompletionContext): CompletionResult | null => {
    const { schema, schemas } = ofKind();
    if (schema === undefined) return null;
    const line = context.state.doc.lineAt(context.pos);
    const lines = context.state.doc.toString().split('\n');
    const { path, isValue, present } = contextAt(lines, line.number - 1, context.pos - line.from);
    const word = context.matchBefore(/[\w./$-]*/);
    if (word === null || (word.from === word.to && !context.explicit && !isValue)) return null;
    const here = schemaAt(schema, path, schemas);
    const options = isValue ? values(here, schemas) : keys(here, schemas, present);
    return options.length === 0 ? null : { from: word.from, options, validFor: /^[\w./$-]*$/ };
  };
}

function keys(
  schema: Schema | undefined,
  schemas: Schemas,
  present: readonly string[],
): Completion[] {
  const { properties = {}, required = [] } = resolved(schema, schemas) ?? {};
  return Object.entries(properties)
    .filter(([name]) => !present.includes(name))
    .map(([name, property]) => {
      const full = resolved(property, schemas);
      const { type, description } = describe(full);
      return {
        label: name,
        apply: `${name}:${full?.type === 'object' || full?.type === 'array' ? '' : ' '}`,
        detail: required.includes(name) ? `${type}, required` : type,
        info: description === '' ? undefined : description,
        boost: required.includes(name) ? 1 : 0,
      } as Completion;
    });
}

function values(schema: Schema | undefined, schemas: Schemas): Completion[] {
  const full = resolved(schema, schemas);
  const choices =
    full?.enum ?? itemOf(full, schemas)?.enum ?? (full?.type === 'boolean' ? [true, false] : []);
  return choices.map((choice) => ({
    label: shortText(choice),
    detail: choice === full?.default ? 'default' : '',
  }));
}
