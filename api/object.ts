import { isObject, type JsonObject } from './json.ts';

/**
 * Metadata of an object as it stands in JSON. `resourceVersion` is absent in
 * what is stored and present in everything that is served.
 */
export type ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  /** RFC 3339, whole seconds, UTC. */
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
};

export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

export type ManagedFieldsEntry = {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
};

/**
 * An object of any kind, decoded and with well-formed metadata (the types of
 * metadata's fields have been checked; its values may still be invalid). It is
 * JSON: code that walks every field alike takes it as a JsonObject.
 */
export interface ApiObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * What a decoder or the store gave, as an object: the one place where JSON
 * becomes an ApiObject. Metadata that is missing is made; the types of its
 * fields are the decoder's to check.
 *
 * @throws NotAnObject when the JSON has no apiVersion or kind, or metadata is not an object
 */
export function apiObjectOf(json: JsonObject): ApiObject {
  json.metadata ??= {};
  if (!isApiObject(json)) throw new NotAnObject();
  return json;
}

/** A broken promise of a decoder, or a stored value that no server has written. */
export class NotAnObject extends Error {
  override readonly name = 'NotAnObject';

  constructor() {
    super('an object has apiVersion, kind and metadata');
  }
}

function isApiObject(json: JsonObject): json is ApiObject {
  const { apiVersion, kind, metadata } = json;
  return typeof apiVersion === 'string' && typeof kind === 'string' && isObject(metadata);
}
