import type { Strategy, UpdateStrategy } from '../resources/definition.ts';
import type { ServedResource } from './served-resource.ts';

/** How objects of the resource are written in the version that the request names. */
export function strategyOf({ definition, version }: ServedResource): Strategy {
  return version.strategy ?? definition.strategy;
}

/** The same through a subresource; empty for the object itself. */
export function updateStrategyOf(resource: ServedResource, subresource: string): UpdateStrategy {
  const { status, approval, finalize } = resource.version.subresources;
  switch (subresource) {
    case 'status':
      return status ?? strategyOf(resource);
    case 'approval':
      return approval ?? strategyOf(resource);
    case 'finalize':
      return finalize ?? strategyOf(resource);
    default:
      return strategyOf(resource);
  }
}
