import type { StructuralSchema } from '../schema/structure/structural.ts';
import type { ValuePath } from './value-path.ts';

/**
 * When a custom resource as it was stored tells its value at a path, before it is
 * pruned and defaulted: always; when it has a single value there; never.
 */
type Certainty = 'always' | 'when-there' | 'never';

/**
 * Pruning keeps what the schema names, and defaulting sets what is absent or null:
 * a single value under named properties is never changed, and what is absent stays
 * so where nothing on the way has a default. The metadata of the object itself is
 * well-formed in the store. Metadata of embedded objects is decoded when it is
 * read, and may lose fields.
 */
export function storedCertainty(root: StructuralSchema, { steps }: ValuePath): Certainty {
  const [first] = steps;
  if (first?.kind === 'key' && (first.key === 'metadata' || first.key === 'apiVersion')) {
    return 'always';
  }
  let certainty: Certainty = 'always';
  let at = root;
  for (const step of steps) {
    const child = step.kind === 'key' ? at.properties?.get(step.key) : undefined;
    if (child === undefined || child.embedded) return 'never';
    if (child.default !== undefined) certainty = 'when-there';
    at = child;
  }
  return certainty;
}
