import type { JsonObject } from '../../api/json.ts';
import { apiObjectOf } from '../../api/object.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { Codec } from '../../resources/codec.ts';
import {
  ALL_VERBS,
  type ResourceDefinition,
  type Subresources,
} from '../../resources/definition.ts';
import { schemaFromJson } from '../../schema/from-json.ts';
import { Cancellation } from '../../http/cancellation.ts';
import type { ApiRequest } from '../../http/message.ts';

/* Requests and custom resources for the tests of this room's documents. */

export interface RequestInit {
  method?: string;
  headers?: Record<string, string>;
}

/** A request without a body and without a client. */
export function requestOf(url: string, init: RequestInit = {}): ApiRequest {
  const [rawPath = '', query = ''] = url.split('?');
  return {
    method: init.method ?? 'GET',
    rawPath,
    query: new URLSearchParams(query),
    headers: init.headers ?? {},
    rawHeaders: [],
    body: () => Promise.resolve(Buffer.alloc(0)),
    cancellation: new Cancellation(),
    peer: { address: '127.0.0.1', certificate: undefined, issuers: [] },
  };
}

export interface CustomInit {
  group: string;
  kind: string;
  plural?: string;
  namespaced?: boolean;
  /** Served versions, the stored one first; a name with a `-` before it is not served. */
  versions?: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: Subresources;
  terminating?: boolean;
  generation?: string;
  /** The same for every version. */
  schema?: JsonObject;
  selectableFields?: string[];
}

/** A custom resource as a CRD would compile to, as far as documents look at it. */
export function customDefinition(init: CustomInit): ResourceDefinition {
  const { group, kind, versions = ['v1'], schema = { type: 'object' } } = init;
  const singular = kind.toLowerCase();
  return {
    group,
    names: {
      plural: init.plural ?? `${singular}s`,
      singular,
      kind,
      listKind: `${kind}List`,
      shortNames: init.shortNames ?? [],
      categories: init.categories ?? [],
    },
    namespaced: init.namespaced ?? true,
    builtin: false,
    versions: versions.map((name) => ({
      name: name.replace(/^-/, ''),
      served: !name.startsWith('-'),
      deprecation: undefined,
      codec: NO_CODEC,
      columns: [],
      selectableFields: new Map((init.selectableFields ?? []).map((path) => [path, () => ''])),
      subresources: init.subresources ?? {},
      schema: () => schemaFromJson(schema),
      document: () => structuredClone(schema),
    })),
    storageVersion: (versions[0] ?? 'v1').replace(/^-/, ''),
    verbs: ALL_VERBS,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: false,
    },
    custom: {
      name: `${singular}s.${group}`,
      uid: 'u',
      generation: init.generation ?? '1',
      group,
      terminating: init.terminating ?? false,
      conversionWebhook: undefined,
    },
  };
}

const NO_CODEC: Codec = {
  decode: (object: JsonObject) => ({ object: apiObjectOf(object), unknownFields: [] }),
  applyDefaults: () => undefined,
  validate: () => [],
  needsRefresh: () => false,
  refresh: () => undefined,
};
