import type { JsonObject } from './json.ts';

/**
 * Metadata of an object as it stands in JSON. `resourceVersion` is absent in
 * what is stored and present in everything that is served.
 */
export interface ObjectMeta {
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
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/**
 * An object of any kind, decoded and with well-formed metadata (the types of
 * metadata's fields have been checked; its values may still be invalid).
 */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** The same object seen as plain JSON; for code that walks every field alike. */
export function asJson(object: ApiObject): JsonObject {
  return object as unknown as JsonObject;
}

/** The same JSON seen as an object of the API. Only after metadata has been checked. */
export function asApiObject(json: JsonObject): ApiObject {
  return json as unknown as ApiObject;
}
