import type { GroupVersionKind } from '../../api/group-version.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import { operationId, schemaRef, tagOf } from './names.ts';

/** In which formats objects are sent and received. */
export const BODY_TYPES: readonly string[] = [MEDIA_TYPE.json, MEDIA_TYPE.yaml];

/** What is particular to an operation. */
export interface OperationInit {
  /** Method, in lower case. */
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** `x-kubernetes-action`. */
  readonly action: string;
  /** First word of the operation's id. */
  readonly verb: string;
  /** The rest of it. */
  readonly what: string;
  readonly description: string;
  readonly parameters: readonly JsonObject[];
  readonly kind: GroupVersionKind;
  /** Name of the schema of the answer. */
  readonly answer: string;
  readonly codes: readonly number[];
  readonly body?: {
    readonly schema: string;
    readonly types: readonly string[];
    readonly required: boolean;
  };
}

/** An operation as documents show it; `owner` is the kind whose resource it belongs to. */
export function operationOf(init: OperationInit, owner: GroupVersionKind): JsonObject {
  return {
    tags: [tagOf(owner)],
    description: init.description,
    operationId: operationId(init.verb, owner, init.what),
    ...(init.parameters.length === 0 ? {} : { parameters: [...init.parameters] }),
    ...(init.body === undefined
      ? {}
      : {
          requestBody: {
            content: content(init.body.schema, init.body.types),
            ...(init.body.required ? { required: true } : {}),
          },
        }),
    responses: responses(init.answer, init.codes),
    'x-kubernetes-action': init.action,
    'x-kubernetes-group-version-kind': gvk(init.kind),
  };
}

const CODES: Partial<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function responses(schema: string, codes: readonly number[]): JsonObject {
  const all: JsonObject = {};
  for (const code of codes) {
    all[String(code)] = { description: CODES[code] ?? '', content: content(schema, BODY_TYPES) };
  }
  all['401'] = { description: 'Unauthorized' };
  return all;
}

function content(schema: string, types: readonly string[]): JsonObject {
  return Object.fromEntries(
    types.map((type): [string, JsonValue] => [type, { schema: schemaRef(schema) }]),
  );
}

/** Clients compare group, version and kind one by one. */
export function gvk({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, kind, version };
}
