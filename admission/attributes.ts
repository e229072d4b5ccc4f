import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';

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
  /**
   * The object as it will be stored; undefined on DELETE. Mutating plugins
   * change it or put another in its place, validating plugins must not.
   */
  object: JsonObject | undefined;
  /** The stored object; undefined on CREATE. Never changed by anybody. */
  readonly oldObject: JsonObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, with apiVersion and kind. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly warnings: Warnings;
  /** Annotations of the request's audit event. */
  readonly audit: Map<string, string>;
  readonly signal: AbortSignal | undefined;
}
