/** JSON as `JSON.parse` makes it; bigint: with `exactIntegers` alone, where a number is not exact. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Json;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Opaque: equal or different, never compared by size. */
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any object of the API. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ListMeta {
  readonly resourceVersion?: string;
  /** Names the next page; absent or empty on the last one. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface ObjectList<T = ApiObject> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0: always shown; higher: only where there is room. */
  readonly priority?: number;
}

export interface TableRow {
  readonly cells: readonly Json[];
  /** The object, or its metadata alone, as `includeObject` asks. */
  readonly object?: ApiObject;
}

/** A list as the server would print it. */
export interface Table {
  readonly kind: 'Table';
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: readonly TableRow[] | null;
}
