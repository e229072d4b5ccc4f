import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { nameIsDnsLabel } from '../../api/name-rules.ts';
import {
  KUBERNETES_METADATA_NAME_LABEL,
  KUBERNETES_NAMESPACE_FINALIZER,
  METADATA_NAME_LABEL,
  NAMESPACE_FINALIZER,
} from '../../api/naming.ts';
import { list, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn, textAt } from '../columns.ts';
import { conditionFields, conditionList, validateConditions } from '../conditions.ts';
import { ALL_VERBS, type DeletionContext, type ResourceDefinition } from '../definition.ts';
import { keepField, validateFinalizerName } from '../metadata-rules.ts';

type Namespace = ValueOf<typeof namespaceSchema>;

const NamespaceSpec = struct(
  'io.cluster.core.v1.NamespaceSpec',
  {
    finalizers: list(string(), {
      listType: 'atomic',
      description:
        'What still has to be done before the namespace is removed. Replaced through the finalize subresource.',
    }),
  },
  { numbers: { finalizers: 1 } },
);

const NamespaceCondition = struct('io.cluster.core.v1.NamespaceCondition', conditionFields(), {
  numbers: { type: 1, status: 2, lastTransitionTime: 4, reason: 5, message: 6 },
});

const NamespaceStatus = struct(
  'io.cluster.core.v1.NamespaceStatus',
  {
    phase: string({
      enum: ['Active', 'Terminating'],
      description:
        'Active while the namespace can be used, Terminating while it is being gracefully removed.',
    }),
    conditions: conditionList(
      NamespaceCondition,
      'What is known about the removal of the namespace.',
    ),
  },
  { numbers: { phase: 1, conditions: 2 } },
);

export const namespaceSchema = kind(
  'io.cluster.core.v1.Namespace',
  {
    spec: use(NamespaceSpec, { description: 'How the namespace behaves.' }),
    status: use(NamespaceStatus, { description: 'The observed state of the namespace.' }),
  },
  { description: 'A scope for names. Using several is optional.', numbers: { spec: 2, status: 3 } },
);

function defaults(object: JsonObject, labels: readonly string[]): void {
  const { metadata, status } = object;
  if (isObject(metadata)) setNameLabels(metadata, labels);
  if (isObject(status) && textAt(status, 'phase') === '') status['phase'] = 'Active';
}

/** The labels follow the name; a generated name comes after the defaults, so this runs there again. */
function setNameLabels(metadata: JsonObject, keys: readonly string[]): void {
  const name = textAt(metadata, 'name');
  if (name === '') return;
  const labels = isObject(metadata['labels']) ? metadata['labels'] : {};
  for (const key of keys) labels[key] = name;
  metadata['labels'] = labels;
}

/** No controller would ever remove the finalizer of Kubernetes. */
function renameFinalizer({ spec }: JsonObject): void {
  const finalizers = isObject(spec) ? spec['finalizers'] : undefined;
  if (!isObject(spec) || !Array.isArray(finalizers)) return;
  if (!finalizers.includes(KUBERNETES_NAMESPACE_FINALIZER)) return;
  const own = finalizers.map((name) =>
    name === KUBERNETES_NAMESPACE_FINALIZER ? NAMESPACE_FINALIZER : name,
  );
  spec['finalizers'] = [...new Set(own)];
}

function prepareForCreate(namespace: Namespace, labels: readonly string[]): void {
  namespace.status = { phase: 'Active' };
  const finalizers = namespace.spec.finalizers ?? [];
  if (!finalizers.includes(NAMESPACE_FINALIZER)) finalizers.push(NAMESPACE_FINALIZER);
  namespace.spec.finalizers = finalizers;
  setNameLabels(namespace.metadata, labels);
}

/** Unlike objects that wait for metadata.finalizers only it has no grace period, and no new generation. */
function beginDeletion(object: Namespace, { finalizers }: DeletionContext): void {
  const namespace = object;
  namespace.status = { ...namespace.status, phase: 'Terminating' };
  if (finalizers.length === 0) delete namespace.metadata.finalizers;
  else namespace.metadata.finalizers = [...finalizers];
}

const CONDITIONS = FieldPath.of('status', 'conditions');

function validateFinalizers({ spec }: Namespace): FieldError[] {
  const path = FieldPath.of('spec', 'finalizers');
  return errorsOfEach(spec.finalizers ?? [], (name, i) =>
    validateFinalizerName(path.index(i), name),
  );
}

/** The registry checks metadata.finalizers of the core group by the same rule. */
function validate(object: Namespace): FieldError[] {
  return validateFinalizers(object);
}

/** Source: behaviours 9.1; only a namespace that is being deleted is Terminating. */
function validateStatus(object: Namespace, before: Namespace): FieldError[] {
  const { metadata, status } = object;
  const old = before.status;
  const errors = validateConditions(CONDITIONS, status.conditions, old.conditions);
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const phase = isDeleted ? 'Terminating' : 'Active';
  if (status.phase === phase) return errors;
  const why = `may only be '${phase}' if \`deletionTimestamp\` is ${isDeleted ? 'not ' : ''}empty`;
  return [fieldError.invalid('status.phase', status.phase ?? '', why), ...errors];
}

/** Source: specification 1, section 2.7; behaviours 9.0 and 9.1. */
const labelledBy = (
  labels: readonly string[],
  complete: (object: JsonObject) => void = () => undefined,
): ResourceDefinition =>
  builtinDefinition({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: ALL_VERBS.filter((verb) => verb !== 'deletecollection'),
    schema: namespaceSchema,
    defaults(object) {
      defaults(object, labels);
      complete(object);
    },
    strategy: {
      validateName: nameIsDnsLabel,
      createOnUpdate: false,
      unconditionalUpdate: true,
      prepareForCreate: (object) => prepareForCreate(object, labels),
      validate,
      prepareForUpdate(object, old) {
        keepField(object.spec, old.spec, 'finalizers');
        keepField(object, old, 'status');
      },
      validateUpdate: validate,
      resetFields: [['status']],
      holdsBack: (object) => (object.spec.finalizers ?? []).length > 0,
      beginDeletion,
    },
    subresources: {
      status: {
        prepareForUpdate: (object, old) => keepField(object, old, 'spec'),
        validateUpdate: validateStatus,
        resetFields: [['spec']],
      },
      finalize: {
        prepareForUpdate: (object, old) => keepField(object, old, 'status'),
        validateUpdate: validate,
        resetFields: [['status']],
      },
    },
    selectableFields: new Map([['status.phase', (object) => textAt(object, 'status', 'phase')]]),
    columns: [
      nameColumn,
      pathColumn(
        'Status',
        'Whether the namespace can be used or is being removed.',
        'status',
        'phase',
      ),
      ageColumn,
    ],
  });

export const namespaceDefinition = labelledBy([METADATA_NAME_LABEL]);

/**
 * Namespaces carry their name in the label that manifests for Kubernetes select by,
 * too, and the finalizer in manifests that were read from Kubernetes is the server's own.
 */
export const twiceLabelledNamespaceDefinition = labelledBy(
  [METADATA_NAME_LABEL, KUBERNETES_METADATA_NAME_LABEL],
  renameFinalizer,
);
