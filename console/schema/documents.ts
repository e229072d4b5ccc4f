import { getJson } from '../api/http.ts';
import { entriesAt, textAt } from '../api/json.ts';
import { apiVersionOf, type Kind } from '../api/kind.ts';
import { schemaOfKind, schemasOf, type Schema, type Schemas } from './schema.ts';

/** A kind's schema, and those that it refers to. */
export interface KindSchema {
  readonly schema: Schema | undefined;
  readonly schemas: Schemas;
}

/** Documents by their addresses, which change with their content. */
const documents = new Map<string, Promise<unknown>>();

/** The addresses of all documents, by `apis/<group>/<version>`. @throws Refused, Unreachable */
export async function documentPaths(): Promise<ReadonlyMap<string, string>> {
  const index = await getJson('/openapi/v3');
  return new Map(
    entriesAt(index, 'paths').map(([name, entry]) => [name, textAt(entry, 'serverRelativeURL')]),
  );
}

/** An OpenAPI document of the server. @throws Refused, Unreachable */
export function documentAt(path: string): Promise<unknown> {
  const known = documents.get(path);
  if (known !== undefined) return known;
  const made = getJson(path).catch((error: unknown) => {
    documents.delete(path);
    throw error;
  });
  documents.set(path, made);
  return made;
}

/** The published schema of a kind. @throws Refused, Unreachable */
export async function kindSchema(kind: Kind): Promise<KindSchema> {
  const name = `${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}`;
  const path = (await documentPaths()).get(name);
  if (path === undefined) return { schema: undefined, schemas: {} };
  const schemas = schemasOf((await documentAt(path)) as Parameters<typeof schemasOf>[0]);
  return { schema: schemaOfKind(schemas, kind), schemas };
}
