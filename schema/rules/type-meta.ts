import { EMPTY_KEYWORDS } from '../keywords.ts';
import { StructuralSchema } from '../structural.ts';

/** Longest name of an object; a generated name has at least one character more than its prefix. */
const MAX_NAME = 253;

const cache = new WeakMap<StructuralSchema, StructuralSchema>();

/**
 * The schema of an object of the API as rules see it: apiVersion, kind,
 * metadata.name and metadata.generateName are always there, and nothing else
 * of metadata. Source: specification 3, section 2.1, rule semantics 2.
 */
export function withTypeAndMeta(schema: StructuralSchema): StructuralSchema {
  let result = cache.get(schema);
  if (result === undefined) {
    const metadata = schema.properties?.get('metadata');
    const text = new StructuralSchema({ type: 'string' });
    const names = new Map([
      ['name', nameSchema(metadata?.properties?.get('name'), MAX_NAME)],
      ['generateName', nameSchema(metadata?.properties?.get('generateName'), MAX_NAME - 1)],
    ]);
    const properties = new Map<string, StructuralSchema>([
      ...(schema.properties ?? []),
      ['apiVersion', text],
      ['kind', text],
      ['metadata', new StructuralSchema({ type: 'object', properties: names })],
    ]);
    result = schema.with({ properties });
    cache.set(schema, result);
  }
  return result;
}

function nameSchema(own: StructuralSchema | undefined, most: number): StructuralSchema {
  const maxLength = Math.min(most, own?.keywords?.maxLength ?? most);
  return new StructuralSchema({ type: 'string', keywords: { ...EMPTY_KEYWORDS, maxLength } });
}
