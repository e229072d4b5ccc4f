import type { JsonObject } from '../api/json.ts';
import type { ServedResource } from './served-resource.ts';

export interface TrackedWrite {
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Undefined on create. */
  readonly live: JsonObject | undefined;
  readonly manager: string;
  /** Wall clock, milliseconds. */
  readonly now: number;
}

/**
 * Keeps metadata.managedFields: who set which field. Called after the object of
 * a create, update or patch is known and before admission changes it.
 */
export interface FieldTracker {
  /** Sets `object.metadata.managedFields`. */
  onWrite(object: JsonObject, write: TrackedWrite): void;
}

/** Keeps nothing; managedFields stay what they were. */
export const noFieldTracker: FieldTracker = { onWrite: () => undefined };
