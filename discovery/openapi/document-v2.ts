import { isObject, type JsonObject } from '../../api/json.ts';
import { isAlias } from '../../api/naming.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { withRests, type Steps } from '../../api/steps.ts';
import { toOpenApiV2 } from '../../schema/openapi-v2.ts';
import { BuiltinSchemas } from './builtin-schema.ts';
import { INFO, SECURITY } from './document-v3.ts';
import { definitionSteps, encodeDocument, encodeHead, encodePath } from './gnostic.ts';
import { pathV2 } from './operation-v2.ts';
import type { Pause } from './pauses.ts';
import type { PublishedVersion } from './published-versions.ts';
import { freeNamesSteps, type RemoteSchemaV2 } from './remote-schemas.ts';
import { resourceDocument } from './resource-document.ts';
import { addSharedSchemas } from './shared-schemas.ts';

const SWAGGER = '2.0';

/** Takes the parts of an OpenAPI 2 document, in any order, and makes bytes of them. */
interface DocumentWriter {
  path(name: string, item: JsonObject): void;
  /** In steps. */
  definition(name: string, schema: JsonObject): Steps<void>;
  finish(): Buffer;
}

interface DocumentParts {
  readonly versions: readonly PublishedVersion[];
  /** What other servers say of what they serve. */
  readonly remote: readonly RemoteSchemaV2[];
}

/** Everything that is served, in one document of OpenAPI 2 as JSON. */
export function documentV2Json(parts: DocumentParts, pause: Pause): Promise<Buffer> {
  return write(parts, new JsonWriter(), pause);
}

/** The same in the protobuf form that older clients ask for. */
export function documentV2Protobuf(parts: DocumentParts, pause: Pause): Promise<Buffer> {
  return write(parts, new ProtobufWriter(), pause);
}

async function write(
  { versions, remote }: DocumentParts,
  writer: DocumentWriter,
  pause: Pause,
): Promise<Buffer> {
  const taken = new Set<string>();
  const define = async (name: string, schema: JsonObject): Promise<void> => {
    taken.add(name);
    await withRests(writer.definition(name, schema), pause);
  };
  const builtin = new BuiltinSchemas();
  const aliases = new BuiltinSchemas(true);
  const shared = addSharedSchemas(builtin, versions, { scale: true, tokens: true });
  for (const { group, resources } of versions) {
    const schemasOf = isAlias(group) ? aliases : builtin;
    for (const resource of resources) {
      const steps = resourceDocument(resource, schemasOf, shared);
      const { paths, schemas } = await withRests(steps, pause);
      for (const [name, item] of paths) writer.path(name, pathV2(item));
      for (const [name, schema] of schemas) {
        const definition = definitionOf(schema);
        await pause();
        await define(name, definition);
      }
      await pause();
    }
  }
  for (const { all } of [builtin, aliases]) {
    for (const [name, schema] of all) await define(name, toOpenApiV2(schema));
    await pause();
  }
  for (const part of remote) {
    const steps = freeNamesSteps(part, (name) => taken.has(name));
    const { paths, definitions } = await withRests(steps, pause);
    for (const [name, item] of Object.entries(paths)) {
      await pause();
      if (isObject(item)) writer.path(name, item);
    }
    for (const [name, schema] of Object.entries(definitions)) {
      if (isObject(schema)) await define(name, schema);
    }
    await pause();
  }
  return writer.finish();
}

/**
 * A resource that takes any field has no list of fields, not even type and
 * metadata: clients take a list to be complete. Source: behaviours 1.10.
 */
function definitionOf(schema: JsonObject): JsonObject {
  const converted = toOpenApiV2(schema);
  return schema['x-kubernetes-preserve-unknown-fields'] === true
    ? { ...converted, type: 'object' }
    : converted;
}

/** Bytes from the start: one text of all of it would have to be converted in one go. */
class JsonWriter implements DocumentWriter {
  readonly #paths: Buffer[] = [];
  readonly #definitions: Buffer[] = [];

  path(name: string, item: JsonObject): void {
    this.#paths.push(member(name, item, this.#paths.length));
  }

  *definition(name: string, schema: JsonObject): Steps<void> {
    yield;
    this.#definitions.push(member(name, schema, this.#definitions.length));
  }

  finish(): Buffer {
    const security = `"securityDefinitions":${JSON.stringify(SECURITY)},"security":[{"BearerToken":[]}]`;
    return Buffer.concat([
      Buffer.from(`{"swagger":"${SWAGGER}","info":${JSON.stringify(INFO)},"paths":{`),
      ...this.#paths,
      Buffer.from('},"definitions":{'),
      ...this.#definitions,
      Buffer.from(`},${security}}\n`),
    ]);
  }
}

function member(name: string, value: JsonObject, index: number): Buffer {
  return Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:${stringifyJson(value)}`);
}

class ProtobufWriter implements DocumentWriter {
  readonly #paths: Uint8Array[] = [];
  readonly #definitions: Uint8Array[] = [];

  path(name: string, item: JsonObject): void {
    this.#paths.push(encodePath(name, item));
  }

  *definition(name: string, schema: JsonObject): Steps<void> {
    yield;
    this.#definitions.push(yield* definitionSteps(name, schema));
  }

  finish(): Buffer {
    return encodeDocument(encodeHead(SWAGGER, INFO, SECURITY), this.#paths, this.#definitions);
  }
}
