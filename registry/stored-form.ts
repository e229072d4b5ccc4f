import type { ApiObject } from '../api/object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { DefaultsTooLarge } from '../schema/default-budget.ts';
import { versionOf } from './served-resource.ts';

/** A stored object as today's schema of its stored version has it. */
export interface StoredForm {
  readonly object: ApiObject;
  /** Pruning or defaulting has changed it. */
  readonly isChanged: boolean;
  /** Its defaults would add too much: it is only pruned. */
  readonly tooLarge?: DefaultsTooLarge;
}

/**
 * Prunes and defaults an object as it was stored; in place. Where the defaults would add too
 * much, the object goes without any: it stays readable, and can be changed and
 * deleted. Objects of versions that the definition no longer has stay as they
 * are.
 */
export function storedForm(definition: ResourceDefinition, object: ApiObject): StoredForm {
  const codec = versionOf(definition, object.apiVersion)?.codec;
  if (codec === undefined || !codec.needsRefresh(object)) return { object, isChanged: false };
  try {
    codec.refresh(object);
    return { object, isChanged: true };
  } catch (error) {
    if (!(error instanceof DefaultsTooLarge)) throw error;
    codec.trimConverted?.(object);
    return { object, isChanged: true, tooLarge: error };
  }
}
