import type { ApiObject, ListMeta, ObjectList, Table } from './objects.ts';
import {
  pathOf,
  resourceNameOf,
  queryText,
  type QueryValues,
  type ResourceRef,
} from './resource.ts';
import type { Status } from './status.ts';
import { Transport, type TransportOptions } from './transport.ts';

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

/** Which objects of a collection, see docs/queries.md. */
export interface Selection {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** An expression over `object`. */
  readonly filter?: string | undefined;
}

export interface GetOptions extends Cancellable {
  /** Absent: as new as the store. */
  readonly resourceVersion?: string | undefined;
  /** Paths of the fields to show. */
  readonly fields?: string | undefined;
  readonly managedFields?: 'omit' | undefined;
}

export interface ListOptions extends GetOptions, Selection {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly orderBy?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface TableOptions extends ListOptions {
  /** What each row carries of its object; by default its metadata. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object' | undefined;
}

export interface WriteOptions extends Cancellable {
  /** Checks and answers, and stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  /** What to do about fields that the schema does not know. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  readonly subresource?: string | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields over from other managers. */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends Cancellable {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** Refused with 409 unless the object still has these. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

export type PatchType = 'merge' | 'json' | 'strategic';

/** How many objects have a value. */
export interface CountGroup {
  readonly value: unknown;
  readonly count: number;
}

export interface Count {
  readonly metadata: ListMeta;
  readonly count: number;
  readonly groups?: readonly CountGroup[];
  readonly others?: number;
}

/** One list of a snapshot. */
export interface SnapshotRequest extends Selection {
  readonly ref: ResourceRef;
  readonly limit?: number | undefined;
}

export interface Snapshot {
  /** The revision of all lists. */
  readonly resourceVersion: string;
  /** In the order of the requests. */
  readonly lists: readonly ObjectList[];
}

const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};
const APPLY_TYPE = 'application/apply-patch+yaml';
const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.cluster.io,application/json';
const SNAPSHOT_PATH = '/apis/query.cluster.io/v1/snapshot';
/** Objects of a page where the caller names no number. */
const PAGE_SIZE = 500;

/**
 * The API of a server, typed. A refusal rejects with StatusError; where no answer
 * comes, with what fetch rejects with.
 */
export class ApiClient {
  readonly transport: Transport;

  constructor(options: TransportOptions = {}) {
    this.transport = new Transport(options);
  }

  get<T = ApiObject>(
    ref: ResourceRef,
    name: string,
    { signal, ...query }: GetOptions & { readonly subresource?: string } = {},
  ): Promise<T> {
    const { subresource = '', ...values } = query;
    return this.transport.json('GET', pathOf(ref, name, subresource), { query: values, signal });
  }

  /** One list, or one page of it when `limit` says so. */
  list<T = ApiObject>(
    ref: ResourceRef,
    { signal, ...query }: ListOptions = {},
  ): Promise<ObjectList<T>> {
    return this.transport.json('GET', pathOf(ref), { query: { ...query }, signal });
  }

  /** The list in pages, all of them at the revision of the first. */
  async *pages<T = ApiObject>(
    ref: ResourceRef,
    options: ListOptions = {},
  ): AsyncGenerator<ObjectList<T>, void> {
    let { continue: token } = options;
    do {
      const page = await this.list<T>(ref, { limit: PAGE_SIZE, ...options, continue: token });
      yield page;
      token = page.metadata.continue;
    } while (token !== undefined && token !== '');
  }

  /** The list as the server prints it. */
  table(ref: ResourceRef, { signal, ...query }: TableOptions = {}): Promise<Table> {
    return this.transport.json('GET', pathOf(ref), {
      ...{ query: { ...query }, signal, accept: TABLE_TYPE },
    });
  }

  /** How many objects there are, by the value at a path where `groupBy` names one. */
  count(
    ref: ResourceRef,
    { signal, groupBy, ...selection }: Selection & Cancellable & { readonly groupBy?: string } = {},
  ): Promise<Count> {
    const query: QueryValues = {
      ...selection,
      ...(groupBy === undefined ? { count: true } : { groupBy }),
    };
    return this.transport.json('GET', pathOf(ref), { query, signal });
  }

  create<T = ApiObject>(
    ref: ResourceRef,
    object: unknown,
    options: WriteOptions & { readonly name?: string } = {},
  ): Promise<T> {
    const path = pathOf(ref, options.name, options.subresource);
    return this.transport.json('POST', path, { ...writeOf(options), body: object });
  }

  /** Refused with 409 unless the object in the store has the resourceVersion of this one, if it names one. */
  update<T = ApiObject>(
    ref: ResourceRef,
    name: string,
    object: unknown,
    options: WriteOptions = {},
  ): Promise<T> {
    const path = pathOf(ref, name, options.subresource);
    return this.transport.json('PUT', path, { ...writeOf(options), body: object });
  }

  patch<T = ApiObject>(
    ref: ResourceRef,
    name: string,
    patch: unknown,
    options: WriteOptions & { readonly type?: PatchType } = {},
  ): Promise<T> {
    const contentType = PATCH_TYPES[options.type ?? 'merge'];
    const path = pathOf(ref, name, options.subresource);
    return this.transport.json('PATCH', path, { ...writeOf(options), contentType, body: patch });
  }

  /**
   * Server-side apply. Conflicts with other managers are a StatusError 409 whose
   * `causes` name field and manager; `force` takes the fields over.
   *
   * @param object an object, or its text in YAML or JSON
   */
  apply<T = ApiObject>(
    ref: ResourceRef,
    name: string,
    object: unknown,
    { force, ...options }: ApplyOptions,
  ): Promise<T> {
    const sent = writeOf(options);
    return this.transport.json('PATCH', pathOf(ref, name, options.subresource), {
      ...{ ...sent, query: { ...sent.query, force }, contentType: APPLY_TYPE, body: object },
    });
  }

  /** Answers the object while it is still there, waiting for its finalizers; otherwise a Status. */
  delete(
    ref: ResourceRef,
    name: string,
    { signal, dryRun, ...options }: DeleteOptions = {},
  ): Promise<ApiObject | Status> {
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
    return this.transport.json('DELETE', pathOf(ref, name), {
      ...{ query: dryRunOf(dryRun), body, signal },
    });
  }

  deleteCollection(
    ref: ResourceRef,
    { signal, dryRun, ...options }: DeleteOptions & Selection = {},
  ): Promise<ObjectList | Status> {
    const { labelSelector, fieldSelector, filter, ...rest } = options;
    return this.transport.json('DELETE', pathOf(ref), {
      query: { ...dryRunOf(dryRun), labelSelector, fieldSelector, filter },
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...rest },
      signal,
    });
  }

  /** Several lists at one revision, from which all of them can be watched. */
  async snapshot(
    requests: readonly SnapshotRequest[],
    { signal }: Cancellable = {},
  ): Promise<Snapshot> {
    const resources = requests.map(({ ref, ...parameters }) => {
      const { namespace = '' } = ref;
      const within = namespace === '' ? '' : `/${namespace}`;
      return `${resourceNameOf(ref)}${within}${queryText(parameters)}`;
    });
    const answer = await this.transport.json<SnapshotAnswer>('GET', SNAPSHOT_PATH, {
      ...{ query: { resources }, signal },
    });
    return {
      resourceVersion: answer.metadata.resourceVersion,
      lists: answer.lists.map(({ list }) => list),
    };
  }
}

interface SnapshotAnswer {
  readonly metadata: { readonly resourceVersion: string };
  readonly lists: readonly { readonly id: string; readonly list: ObjectList }[];
}

const dryRunOf = (dryRun: boolean | undefined): QueryValues =>
  dryRun === true ? { dryRun: 'All' } : {};

function writeOf({ dryRun, fieldManager, fieldValidation, signal }: WriteOptions): {
  query: QueryValues;
  signal: AbortSignal | undefined;
} {
  return { query: { ...dryRunOf(dryRun), fieldManager, fieldValidation }, signal };
}
