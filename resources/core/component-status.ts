import { getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { pathSegmentNameErrors } from '../../api/names.ts';
import { string, struct } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { nameColumn, textAt, textColumn } from '../columns.ts';
import { conditionList } from '../conditions.ts';
import type { ResourceDefinition } from '../definition.ts';

const schema = kind(
  'io.cluster.core.v1.ComponentStatus',
  {
    conditions: conditionList(
      struct(
        'io.cluster.core.v1.ComponentCondition',
        {
          type: string({
            required: true,
            enum: ['Healthy'],
            description: 'Healthy is the one type there is.',
          }),
          status: string({
            required: true,
            enum: ['True', 'False', 'Unknown'],
            description: 'True, False or Unknown.',
          }),
          message: string({ description: 'What the health check said.' }),
          error: string({ description: 'The code of the error, as of a failed health check.' }),
        },
        { numbers: { type: 1, status: 2, message: 3, error: 4 } },
      ),
      'What the health check of the component found.',
    ),
  },
  {
    description:
      'Deprecated since release 1.19. The health of a component of the cluster, checked at the moment of the request.',
    numbers: { conditions: 2 },
  },
);

/** The one condition that is shown; Unknown when there is none. */
function healthy(object: JsonObject): JsonObject | undefined {
  const conditions: JsonValue | undefined = getPath(object, 'conditions');
  if (!Array.isArray(conditions)) return undefined;
  return conditions.filter(isObject).find(({ type }) => type === 'Healthy');
}

function statusText(object: JsonObject): string {
  const condition = healthy(object);
  if (condition === undefined) return 'Unknown';
  return textAt(condition, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
}

const conditionText =
  (field: string) =>
  (object: JsonObject): string =>
    textAt(healthy(object) ?? {}, field);

/** Computed where it is asked for, never stored. Source: specification 1, section 2.2; behaviours 6.6, 9.0 and 9.15. */
export const componentStatusDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  namespaced: false,
  verbs: ['get', 'list'],
  computed: true,
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  schema,
  strategy: {
    validateName: (name) => pathSegmentNameErrors(name),
    createOnUpdate: false,
    unconditionalUpdate: false,
  },
  columns: [
    nameColumn,
    textColumn('Status', 'Whether the component is healthy.', statusText),
    textColumn('Message', 'What its health check said.', conditionText('message')),
    textColumn('Error', 'The error of its health check.', conditionText('error')),
  ],
});
