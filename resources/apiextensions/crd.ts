import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { CRD_CLEANUP_FINALIZER } from '../../api/naming.ts';
import { formatTime } from '../../api/time.ts';
import type { Steps } from '../../api/steps.ts';
import { extensionKey } from '../../schema/extension-keys.ts';
import { schemaWarnings } from '../../schema/check/warnings.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition, StrategyContext } from '../definition.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { keepField } from '../metadata-rules.ts';
import { CrdCodec, inDialect } from './crd-codec.ts';
import { withCondition } from './crd-conditions.ts';
import { crdDefaults } from './crd-defaults.ts';
import { customResourceDefinitionSchema } from './crd-schema.ts';
import {
  CRD_GROUP,
  CRD_PLURAL,
  schemaOf,
  storageVersionOf,
  type CustomResourceDefinition,
} from './crd-types.ts';
import {
  validateChangedCrd,
  validateCrdStatus,
  validateNewCrd,
  type DefinitionRules,
} from './crd-validation.ts';
import { compositeSetItems } from './schema-search.ts';

/** What a client sends of the status is dropped; the version in which objects will be stored is noted. */
function prepareForCreate(crd: CustomResourceDefinition): void {
  crd.status = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: null,
  };
  noteStorageVersion(crd);
  startGeneration(crd);
}

function prepareForUpdate(
  object: CustomResourceDefinition,
  before: CustomResourceDefinition,
): void {
  keepField(object, before, 'status');
  noteStorageVersion(object);
  countGeneration(object, before, 'spec');
}

/** Source: behaviours 7.9. */
function noteStorageVersion({ spec, status }: CustomResourceDefinition): void {
  const storage = storageVersionOf(spec);
  const stored = status.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage.name)) return;
  status.storedVersions = [...stored, storage.name];
}

const NOT_SERVED = 'spec.versions: no version has served: true, so the resource is not served';

/** Versions that are not served, formats that are not enforced, and sets of what cannot be compared; on update only new ones. */
function* warningsOf(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): Steps<string[]> {
  const now = yield* warningsIn(object);
  if (old === undefined || now.length === 0) return now;
  const before = new Set(yield* warningsIn(old));
  return now.filter((text) => !before.has(text));
}

function* warningsIn({ spec }: CustomResourceDefinition): Steps<string[]> {
  const formats: string[] = [];
  for (const version of spec.versions ?? []) {
    const schema = schemaOf(version);
    if (schema !== undefined) formats.push(...(yield* schemaWarnings(schema)));
  }
  const sets = (yield* compositeSetItems(spec)).map(
    (type) =>
      `${extensionKey('list-type')}: set for items of type ${JSON.stringify(type)} is not supported by server-side apply or CEL validation rules`,
  );
  const served = (spec.versions ?? []).some((version) => version.served);
  return [...(served ? [] : [NOT_SERVED]), ...formats, ...sets];
}

/** Instances have to go first: the first DELETE only says so. Source: behaviours 7.8. */
function beginDeletion(crd: CustomResourceDefinition, { now }: StrategyContext): void {
  const finalizers = crd.metadata.finalizers ?? [];
  if (!finalizers.includes(CRD_CLEANUP_FINALIZER)) {
    crd.metadata.finalizers = [...finalizers, CRD_CLEANUP_FINALIZER];
  }
  crd.status = withCondition(
    crd.status,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message:
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    formatTime(now),
  );
}

/**
 * CustomResourceDefinition.
 * Source: specification 3, section 2.1; behaviours 7.* and 9.0.
 */
export function customResourceDefinitionDefinition(rules: DefinitionRules): ResourceDefinition {
  const definition = builtinDefinition({
    group: CRD_GROUP,
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: CRD_PLURAL,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    schema: customResourceDefinitionSchema,
    defaults: crdDefaults,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: false,
      prepareForCreate,
      prepareForUpdate,
      validateSteps: (crd, old) =>
        old === undefined ? validateNewCrd(crd, rules) : validateChangedCrd(crd, old, rules),
      warningSteps: warningsOf,
      resetFields: [['status']],
      beginDeletion,
    },
    subresources: {
      status: {
        // labels, annotations and finalizers may change this way, too: so the reference has it
        prepareForUpdate: (object, old) => keepField(object, old, 'spec'),
        validateUpdate: (object, old) => validateCrdStatus(object.status, old.status),
        resetFields: [['spec']],
      },
    },
    columns: [nameColumn, createdAtColumn],
  });
  return {
    ...definition,
    renamed: (object, { dialect }) => inDialect(object, dialect),
    versions: definition.versions.map((version) => ({
      ...version,
      codec: new CrdCodec(version.codec),
    })),
  };
}
