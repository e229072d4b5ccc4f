import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { dns1123LabelErrors } from '../../api/names.ts';
import { validateLabels } from '../../api/selectors/label-spec.ts';
import { list, map, quantity, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import type { FeatureGates } from '../feature-gates.ts';
import { validateImmutable } from '../immutable.ts';
import {
  roundAmounts,
  validateAmount,
  validateContainerResourceName,
  validateHugePages,
} from '../resource-quantities.ts';
import { Toleration, validateTolerations } from '../taints.ts';

type RuntimeClass = ValueOf<typeof schema>;

const Overhead = struct(
  'io.cluster.node.v1.Overhead',
  {
    podFixed: map(quantity(), {
      description: 'What running a Pod of the class takes beyond its containers.',
    }),
  },
  { numbers: { podFixed: 1 } },
);

const Scheduling = struct(
  'io.cluster.node.v1.Scheduling',
  {
    nodeSelector: map(string(), {
      mapType: 'atomic',
      description:
        "Labels that nodes must have that support the class. Merged with the Pod's own; a Pod is refused when the two contradict each other.",
    }),
    tolerations: list(Toleration, {
      listType: 'atomic',
      description: 'Tolerations that are added to the Pods of the class, without duplicates.',
    }),
  },
  { numbers: { nodeSelector: 1, tolerations: 2 } },
);

const schema = kind(
  'io.cluster.node.v1.RuntimeClass',
  {
    handler: string({
      required: true,
      description:
        'The runtime and configuration that run the Pods of the class. What it means is up to the configuration of the nodes; the same name is taken to mean the same on each of them. A DNS label in lower case; never changed.',
    }),
    overhead: use(Overhead, {
      pointer: true,
      description: 'Resources that running a Pod of the class takes on top.',
    }),
    scheduling: use(Scheduling, {
      pointer: true,
      description: 'Which nodes support the class. When absent, every node is taken to support it.',
    }),
  },
  {
    description:
      'A class of container runtime, which runs all containers of a Pod. Made by users or provisioners, and named by Pods.',
    numbers: { handler: 2, overhead: 3, scheduling: 4 },
  },
);

function defaults(object: JsonObject): void {
  const amounts = getPath(object, 'overhead', 'podFixed');
  if (isObject(amounts)) roundAmounts(amounts);
}

function validateHandler({ handler }: RuntimeClass): FieldError[] {
  const path = FieldPath.of('handler');
  if (handler === '') return [fieldError.required(path)];
  return invalidEach(path, handler, dns1123LabelErrors(handler));
}

function validateOverhead({ overhead }: RuntimeClass): FieldError[] {
  const path = FieldPath.of('overhead', 'podFixed');
  const { podFixed = {} } = overhead ?? {};
  const errors = errorsOfEach(Object.entries(podFixed), ([resource, amount]) => [
    ...validateContainerResourceName(path.key(resource), resource),
    ...validateAmount(path.key(resource), resource, amount),
  ]);
  const ofOne = (resource: string): FieldPath => path.key(resource);
  return [...errors, ...validateHugePages(FieldPath.of('overhead'), podFixed, ofOne)];
}

/** Source: specification 2, section 2.2; behaviours 9.13. */
function validate(runtimeClass: RuntimeClass, comparisons: boolean): FieldError[] {
  const { nodeSelector = {}, tolerations = [] } = runtimeClass.scheduling ?? {};
  const path = FieldPath.of('scheduling', 'tolerations');
  return [
    ...validateHandler(runtimeClass),
    ...validateOverhead(runtimeClass),
    ...validateLabels(nodeSelector, FieldPath.of('scheduling', 'nodeSelector')),
    ...validateTolerations(path, tolerations, { comparisons }),
  ];
}

/** Labels of nodes that have newer names. Source: kubernetes pkg/api/node. */
const DEPRECATED_LABELS: ReadonlyMap<string, string> = new Map([
  ['beta.cluster.io/arch', 'deprecated since v1.14; use "cluster.io/arch" instead'],
  ['beta.cluster.io/os', 'deprecated since v1.14; use "cluster.io/os" instead'],
  [
    'beta.cluster.io/instance-type',
    'deprecated since v1.17; use "node.cluster.io/instance-type" instead',
  ],
  [
    'failure-domain.beta.cluster.io/region',
    'deprecated since v1.17; use "topology.cluster.io/region" instead',
  ],
  [
    'failure-domain.beta.cluster.io/zone',
    'deprecated since v1.17; use "topology.cluster.io/zone" instead',
  ],
]);

function warnings(object: RuntimeClass): string[] {
  const { nodeSelector = {} } = object.scheduling ?? {};
  return Object.keys(nodeSelector).flatMap((label) => {
    const why = DEPRECATED_LABELS.get(label);
    return why === undefined ? [] : [`scheduling.nodeSelector[${label}]: ${why}`];
  });
}

function usesComparisons(object: RuntimeClass): boolean {
  const { tolerations = [] } = object.scheduling ?? {};
  return tolerations.some(({ operator }) => operator === 'Lt' || operator === 'Gt');
}

/** Source: specification 2, section 2.2; behaviours 9.0 and 9.13. */
export function runtimeClassDefinition(gates: FeatureGates): ResourceDefinition {
  const comparisons = gates.TaintTolerationComparisonOperators;
  return builtinDefinition({
    group: 'node.cluster.io',
    version: 'v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    schema,
    defaults,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: true,
      unconditionalUpdate: false,
      warnings,
      validate: (object) => validate(object, comparisons),
      // an object that has the operators from before keeps them when the gate is closed
      validateUpdate: (object, old) => [
        ...validate(object, comparisons || usesComparisons(old)),
        ...validateImmutable(FieldPath.of('handler'), object.handler, old.handler),
      ],
    },
    columns: [
      nameColumn,
      pathColumn('Handler', 'The handler that runs the Pods of the class.', 'handler'),
      ageColumn,
    ],
  });
}
