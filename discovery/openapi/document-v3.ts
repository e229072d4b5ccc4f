import type { GroupVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import { isAlias } from '../../api/naming.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { withRests } from '../../api/steps.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { gitVersion } from '../version.ts';
import { BuiltinSchemas } from './builtin-schema.ts';
import type { Pause } from './pauses.ts';
import { resourceDocument } from './resource-document.ts';
import { addSharedSchemas } from './shared-schemas.ts';

export const INFO: JsonObject = { title: 'Plinth', version: gitVersion() };

/** How to prove who one is. */
export const SECURITY: JsonObject = {
  BearerToken: {
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
    description: 'A bearer token: `Bearer <token>`.',
  },
};

/**
 * The OpenAPI 3 document of one group and version as JSON text. Resources are
 * written one after the other, so a document of megabytes neither holds up
 * others nor exists twice in memory.
 */
export async function documentV3(
  { group, version }: GroupVersion,
  resources: readonly ServedResource[],
  pause: Pause,
): Promise<string> {
  const builtin = new BuiltinSchemas(isAlias(group));
  const scale = resources.some((resource) => resource.version.subresources.scale !== undefined);
  const tokens = resources.some((resource) => resource.version.subresources.token === true);
  const shared = addSharedSchemas(builtin, [{ group, version }], { scale, tokens });
  const paths: string[] = [];
  const schemas: string[] = [];
  for (const resource of resources) {
    const document = await withRests(resourceDocument(resource, builtin, shared), pause);
    write(document.paths, paths);
    write(document.schemas, schemas);
    await pause();
  }
  write(builtin.all, schemas);
  return [
    `{"openapi":"3.0.0","info":${JSON.stringify(INFO)},`,
    `"paths":{${paths.join(',')}},`,
    `"components":{"schemas":{${schemas.join(',')}},"securitySchemes":${JSON.stringify(SECURITY)}},`,
    `"security":[{"BearerToken":[]}]}\n`,
  ].join('');
}

function write(members: ReadonlyMap<string, JsonObject>, to: string[]): void {
  for (const [name, value] of members) to.push(`${JSON.stringify(name)}:${stringifyJson(value)}`);
}
