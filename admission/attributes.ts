import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';
import type { WhileWaiting } from '../api/while-waiting.ts';
import type { KindAccess } from './kind-access.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What admission sees of a request. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly kind: GroupVersionKind;
  /** Empty for cluster-scoped objects; for a Namespace its own name. */
  readonly namespace: string;
  /** Empty while a name is still to be generated. */
  readonly name: string;
  /** The name in the path of the request; empty where that is a collection. */
  readonly pathName: string;
  /**
   * The object as it will be stored; undefined on DELETE. Mutating plugins
   * change it or put another in its place, validating plugins must not.
   */
  object: ApiObject | undefined;
  /**
   * The stored object in the version of the request; undefined on CREATE.
   * Frozen, and a copy: nothing that a plugin does with it changes what later
   * plugins or the registry see (CVE-2021-25735).
   */
  readonly oldObject: ApiObject | undefined;
  /** Makes `oldObject` in turns of the event loop, for those who are about to look at it: it may be large. */
  prepareOldObject?(): Promise<void>;
  /** Of the operation, however it was asked for: CreateOptions, UpdateOptions or DeleteOptions, with apiVersion and kind. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly warnings: Warnings;
  /** Annotations of the request's audit event. */
  readonly audit: Map<string, string>;
  readonly signal: AbortSignal | undefined;
  /** When the request is given up, in monotonic milliseconds. */
  readonly deadline: number | undefined;
  /** Absent: the request occupies nothing that others wait for. */
  readonly whileWaiting?: WhileWaiting | undefined;
  readonly access: KindAccess;
}

/** A Namespace is in itself, and yet an object of cluster scope. */
export function isNamespace({ resource }: Pick<AdmissionAttributes, 'resource'>): boolean {
  return resource.resource === 'namespaces' && resource.group === '';
}
