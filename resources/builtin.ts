import { apiServiceDefinition } from './apiregistration/api-service.ts';
import { leaseDefinition } from './coordination/lease.ts';
import { componentStatusDefinition } from './core/component-status.ts';
import { namespaceDefinition } from './core/namespace.ts';
import { nodeDefinition } from './core/node.ts';
import type { ResourceDefinition } from './definition.ts';
import { eventDefinition } from './events/event.ts';
import type { FeatureGates } from './feature-gates.ts';
import { ipAddressDefinition } from './networking/ip-address.ts';
import { serviceCidrDefinition } from './networking/service-cidr.ts';
import { runtimeClassDefinition } from './node/runtime-class.ts';

/** Every kind that the server brings along, as the feature gates have it. */
export function builtinDefinitions(gates: FeatureGates): readonly ResourceDefinition[] {
  return [
    componentStatusDefinition,
    namespaceDefinition,
    nodeDefinition,
    apiServiceDefinition,
    leaseDefinition(gates),
    eventDefinition,
    ipAddressDefinition,
    serviceCidrDefinition,
    runtimeClassDefinition(gates),
  ];
}
