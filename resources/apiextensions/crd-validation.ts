import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import type { Steps } from '../../api/steps.ts';
import { dns1123SubdomainErrors } from '../../api/names.ts';
import { sizeOf } from '../../schema/default-budget.ts';
import { isAlias, isWorkloadGroup, RESERVED_GROUP } from '../../api/naming.ts';
import { validateConditions } from '../conditions.ts';
import { validateImmutable } from '../immutable.ts';
import { validateApproval } from './crd-approval.ts';
import {
  conversionRulesAfter,
  validateConversion,
  type ConversionRules,
} from './crd-conversion.ts';
import { validateNames, validateRequiredNames } from './crd-names.ts';
import {
  isConditionTrue,
  type CrdSpec,
  type CrdStatus,
  type CustomResourceDefinition,
} from './crd-types.ts';
import { hasDefaults } from './schema-search.ts';
import { validateVersions, type RuleCompilerFactory } from './crd-versions.ts';

const METADATA = FieldPath.of('metadata');
const SPEC = FieldPath.of('spec');
const CONDITIONS = FieldPath.of('status', 'conditions');
const ACCEPTED_NAMES = FieldPath.of('status', 'acceptedNames');
const STORED_VERSIONS = FieldPath.of('status', 'storedVersions');
const SCOPES = ['Cluster', 'Namespaced'];

/** Bytes of the spec of a definition: a larger one would not be stored, so that it is not checked either. */
const MAX_DEFINITION_BYTES = 1.5 * 1024 * 1024;

function validateSize(spec: CrdSpec): FieldError[] {
  const { bytes } = sizeOf(spec);
  return bytes <= MAX_DEFINITION_BYTES ? [] : [fieldError.tooLong(SPEC, MAX_DEFINITION_BYTES)];
}

const NEW_CONVERSION: ConversionRules = { needsKnownVersion: true, allowsBrokenBundle: true };

/** What a server makes of definitions. */
export interface DefinitionRules {
  /** Compiles the expressions in schemas. */
  readonly compiler: RuleCompilerFactory;
  /** Kinds of workloads, and of groups of this server, may be declared. */
  readonly allowsBuiltinGroups: boolean;
}

/** Source: specification 3, section 2.1; behaviours 7.1, 7.9, 7.10. */
export function* validateNewCrd(
  crd: CustomResourceDefinition,
  { compiler, allowsBuiltinGroups }: DefinitionRules,
): Steps<FieldError[]> {
  const { metadata, spec, status } = crd;
  const tooLarge = validateSize(spec);
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...validateFullName('generateName', metadata.generateName ?? '', spec),
    ...validateFullName('name', metadata.name ?? '', spec),
    ...validateGroup(spec.group, allowsBuiltinGroups),
    ...(yield* validateSpec(spec, undefined, NEW_CONVERSION, compiler)),
    ...validateCrdStatus(status),
    ...validateStoredVersions(crd),
    ...validateApproval(crd, undefined),
    ...validatePreserveUnknownFields(spec),
  ];
}

/** The name follows from the spec, so one that is generated never fits. */
function validateFullName(
  field: 'generateName' | 'name',
  name: string,
  { names, group }: CrdSpec,
): FieldError[] {
  if (name === '' || name === `${names.plural}.${group}`) return [];
  const why = 'must be spec.names.plural+"."+spec.group';
  return [fieldError.invalid(METADATA.child(field), name, why)];
}

/** Source: as {@link validateNewCrd}; what cannot change once objects are stored, behaviours 7.9. */
export function* validateChangedCrd(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  { compiler }: DefinitionRules,
): Steps<FieldError[]> {
  const { spec } = crd;
  const tooLarge = validateSize(spec);
  if (tooLarge.length > 0) return tooLarge;
  const isEstablished = isConditionTrue(old, 'Established');
  return [
    ...(yield* validateSpec(
      spec,
      old.spec,
      conversionRulesAfter(old.spec, isEstablished),
      compiler,
    )),
    ...validateUnchanged(spec, old.spec, isEstablished),
    ...validateCrdStatus(crd.status, old.status),
    ...validateStoredVersions(crd),
    ...validateApproval(crd, old),
    ...(old.spec.preserveUnknownFields === true ? [] : validatePreserveUnknownFields(spec)),
  ];
}

/** `old`: the status before an update; conditions that have not changed may stay. */
export function validateCrdStatus(
  { acceptedNames, conditions }: CrdStatus,
  old?: CrdStatus,
): FieldError[] {
  return [
    ...validateConditions(CONDITIONS, conditions ?? undefined, old?.conditions ?? undefined),
    ...validateNames(ACCEPTED_NAMES, acceptedNames),
  ];
}

function* validateSpec(
  spec: CrdSpec,
  old: CrdSpec | undefined,
  conversion: ConversionRules,
  rules: RuleCompilerFactory,
): Steps<FieldError[]> {
  const errors = validateScope(spec.scope);
  if (spec.preserveUnknownFields === true && (yield* hasDefaults(spec))) {
    const why = 'must be false in order to use defaults in the schema';
    errors.push(fieldError.invalid(SPEC.child('preserveUnknownFields'), true, why));
  }
  const names = SPEC.child('names');
  return [
    ...errors,
    ...(yield* validateVersions(spec, old, rules)),
    ...validateRequiredNames(names, spec.names),
    ...validateNames(names, spec.names),
    ...validateConversion(SPEC.child('conversion'), spec, conversion),
  ];
}

/** The group never changes, so that one which has been allowed may stay. */
function validateGroup(group: string, allowsBuiltin: boolean): FieldError[] {
  const path = SPEC.child('group');
  if (group === '') return [fieldError.required(path)];
  const wrong = dns1123SubdomainErrors(group);
  if (wrong.length > 0) return [fieldError.invalid(path, group, wrong.join(','))];
  if (isWorkloadGroup(group) && allowsBuiltin) return [];
  if (!group.includes('.')) {
    return [fieldError.invalid(path, group, 'should be a domain with at least one dot')];
  }
  return isAlias(group) && !allowsBuiltin ? [fieldError.invalid(path, group, RESERVED_GROUP)] : [];
}

function validateScope(scope: string): FieldError[] {
  const path = SPEC.child('scope');
  if (scope === '') return [fieldError.required(path)];
  return SCOPES.includes(scope) ? [] : [fieldError.notSupported(path, scope, SCOPES)];
}

function validateUnchanged(spec: CrdSpec, old: CrdSpec, isEstablished: boolean): FieldError[] {
  const names = SPEC.child('names');
  const errors = isEstablished
    ? [
        ...validateImmutable(SPEC.child('scope'), spec.scope, old.scope),
        ...validateImmutable(names.child('kind'), spec.names.kind, old.names.kind),
      ]
    : [];
  return [
    ...errors,
    ...validateImmutable(SPEC.child('group'), spec.group, old.group),
    ...validateImmutable(names.child('plural'), spec.names.plural, old.names.plural),
  ];
}

function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const stored = status.storedVersions ?? [];
  if (stored.length === 0) {
    const why = 'must have at least one stored version';
    return [fieldError.invalid(STORED_VERSIONS, status.storedVersions, why)];
  }
  const versions = spec.versions ?? [];
  const missing = versions
    .filter(({ name, storage }) => storage && !stored.includes(name))
    .map(({ name }) =>
      fieldError.invalid(STORED_VERSIONS, stored, `must have the storage version ${name}`),
    );
  const known = new Set(versions.map(({ name }) => name));
  const gone = errorsOfEach(stored, (name, i) => {
    if (known.has(name)) return [];
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [fieldError.invalid(STORED_VERSIONS.index(i), name, why)];
  });
  return [...missing, ...gone];
}

function validatePreserveUnknownFields({ preserveUnknownFields }: CrdSpec): FieldError[] {
  if (preserveUnknownFields !== true) return [];
  const why =
    'cannot set to true, set x-cluster-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldError.invalid(SPEC.child('preserveUnknownFields'), true, why)];
}
