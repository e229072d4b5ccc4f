import { leaseDefinition } from './coordination/lease.ts';
import { namespaceDefinition } from './core/namespace.ts';
import type { ResourceDefinition } from './definition.ts';
import type { FeatureGates } from './feature-gates.ts';

/** Every kind that the server brings along, as the feature gates have it. */
export function builtinDefinitions(gates: FeatureGates): readonly ResourceDefinition[] {
  return [namespaceDefinition, leaseDefinition(gates)];
}
