import { list, map, quantity, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { Typed } from '../../schema/shape.ts';
import type { ResourceList } from '../resource-quantities.ts';

const amounts = (description: string): Typed<ResourceList, 'nothing'> =>
  map(quantity(), { description });

const ScopedResourceSelectorRequirement = struct(
  'io.cluster.core.v1.ScopedResourceSelectorRequirement',
  {
    scopeName: string({ required: true, description: 'The scope that is selected by.' }),
    operator: string({
      required: true,
      description: 'How the scope relates to the values: In, NotIn, Exists or DoesNotExist.',
    }),
    values: list(string(), {
      listType: 'atomic',
      description: 'Values of the scope, for In and NotIn only.',
    }),
  },
  { numbers: { scopeName: 1, operator: 2, values: 3 } },
);

const ScopeSelector = struct(
  'io.cluster.core.v1.ScopeSelector',
  {
    matchExpressions: list(use(ScopedResourceSelectorRequirement, {}), {
      listType: 'atomic',
      description: 'Requirements by scope; all of them hold for what is selected.',
    }),
  },
  { numbers: { matchExpressions: 1 } },
);

const ResourceQuotaSpec = struct(
  'io.cluster.core.v1.ResourceQuotaSpec',
  {
    hard: amounts(
      'The most there may be, by what is counted: `count/RESOURCE.GROUP` for objects of a resource, `configmaps`, `secrets` and `resourcequotas` for those of the core group. Other keys are kept, and limit nothing here.',
    ),
    scopes: list(string(), {
      listType: 'atomic',
      description:
        'Scopes that objects must have to be counted. Objects without workloads have none: a quota with scopes counts nothing here.',
    }),
    scopeSelector: use(ScopeSelector, {
      pointer: true,
      description: 'Scopes with values, as `scopes`.',
    }),
  },
  { numbers: { hard: 1, scopes: 2, scopeSelector: 3 } },
);

const ResourceQuotaStatus = struct(
  'io.cluster.core.v1.ResourceQuotaStatus',
  {
    hard: amounts('The limits that are in force.'),
    used: amounts('How much there is, of what is counted.'),
  },
  { numbers: { hard: 1, used: 2 } },
);

export const resourceQuotaSchema = kind(
  'io.cluster.core.v1.ResourceQuota',
  {
    spec: use(ResourceQuotaSpec, { description: 'The limits that are asked for.' }),
    status: use(ResourceQuotaStatus, { description: 'The limits in force, and what is used.' }),
  },
  {
    description:
      'Limits how many objects a namespace may have. A create that would exceed a limit is refused.',
    numbers: { spec: 2, status: 3 },
  },
);
