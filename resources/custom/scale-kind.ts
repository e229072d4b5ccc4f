import { int32, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';

const schema = kind(
  'io.cluster.autoscaling.v1.Scale',
  {
    spec: use(
      struct(
        'io.cluster.autoscaling.v1.ScaleSpec',
        {
          replicas: int32({ description: 'The number of replicas that is wanted.' }),
        },
        { numbers: { replicas: 1 } },
      ),
      { description: 'What is wanted.' },
    ),
    status: use(
      struct(
        'io.cluster.autoscaling.v1.ScaleStatus',
        {
          replicas: int32({
            required: true,
            description: 'The number of replicas that there are.',
          }),
          selector: string({
            description: 'A label selector for the replicas, as text. Read by autoscalers.',
          }),
        },
        { numbers: { replicas: 1, selector: 2 } },
      ),
      { description: 'What there is.' },
    ),
  },
  { description: 'How many replicas of something are wanted.', numbers: { spec: 2, status: 3 } },
);

/**
 * Scale, the form in which the scale subresource shows objects of any kind. It
 * is not a resource of its own. Source: specification 3, section 2.1, subresources.
 */
export const scaleDefinition: ResourceDefinition = builtinDefinition({
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  namespaced: true,
  schema,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  columns: [nameColumn, createdAtColumn],
});
