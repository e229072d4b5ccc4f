import { StructuralSchema } from '../structure/structural.ts';

/** A text of any length, by which costs are estimated. */
const ANY_TEXT = new StructuralSchema({ type: 'string' });

const cache = new WeakMap<StructuralSchema, StructuralSchema>();

/**
 * The schema of an object of the API as rules see it: apiVersion, kind,
 * metadata.name and metadata.generateName are always there, and nothing else
 * of metadata. Source: specification 3, section 2.1, rule semantics 2.
 *
 * What a schema says of these four counts only where it specifies all of them,
 * as in kube-apiserver (apiextensions-apiserver pkg/apiserver/schema/cel/model).
 */
export function withTypeAndMeta(schema: StructuralSchema): StructuralSchema {
  let result = cache.get(schema);
  if (result === undefined) {
    const own = schema.properties;
    const ownNames = own?.get('metadata')?.properties;
    const places = [own?.get('apiVersion'), own?.get('kind')];
    places.push(ownNames?.get('name'), ownNames?.get('generateName'));
    const isSpecified = places.every((place) => place?.type === 'string');
    const [apiVersion = ANY_TEXT, kind = ANY_TEXT, name = ANY_TEXT, generateName = ANY_TEXT] =
      isSpecified ? places : [];
    const names = new Map([
      ['name', name],
      ['generateName', generateName],
    ]);
    const properties = new Map<string, StructuralSchema>([
      ...(own ?? []),
      ['apiVersion', apiVersion],
      ['kind', kind],
      ['metadata', new StructuralSchema({ type: 'object', properties: names })],
    ]);
    result = schema.with({ properties });
    cache.set(schema, result);
  }
  return result;
}
