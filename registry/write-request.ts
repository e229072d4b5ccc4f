import type { JsonObject } from '../api/json.ts';
import type { Entry } from '../watch/entry.ts';
import type { RequestContext } from './context.ts';
import type { Target } from './served-resource.ts';
import type { WriteOptions } from './write-options.ts';

/** What every write carries through its steps. */
export interface WriteRequest {
  readonly context: RequestContext;
  readonly target: Target;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly options: WriteOptions;
  /**
   * The name in the path, where that is not the target's: a collection is deleted
   * without one, and a POST to the path of a custom object has one.
   */
  readonly pathName?: string;
  /** The options as admission shows them, where they are more than `options` holds. */
  readonly optionsObject?: JsonObject;
}

/** An object as a verb answers it: its bytes in the version that was asked for. */
export interface ObjectResult {
  readonly bytes: Buffer;
  /** Created rather than found or changed: 201. */
  readonly created: boolean;
  /** Undefined when nothing is stored (dry run). */
  readonly entry: Entry | undefined;
}

/** The manager of the fields that this write sets. */
export function managerOf({ options, context }: WriteRequest): string {
  return options.fieldManager === '' ? context.defaultManager : options.fieldManager;
}
