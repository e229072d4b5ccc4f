import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, type JsonValue } from '../../api/json.ts';
import { dns1035LabelErrors } from '../../api/names.ts';
import { PatternBudget } from '../../cel/value/pattern-budget.ts';
import type { Steps } from '../../api/steps.ts';
import { checkSchemaSteps } from '../../schema/check/check.ts';
import { MAX_PATTERN_WORK, RuleTextBudget } from '../../schema/check/limits.ts';
import type { RuleCompiler } from '../../schema/check/rule-seam.ts';
import { DefaultBudget } from '../../schema/default-budget.ts';
import { schemaSteps } from '../../schema/from-json.ts';
import { validateColumn } from './crd-columns.ts';
import { validateSelectableFields } from './crd-selectable-fields.ts';
import { validateSubresources } from './crd-subresources.ts';
import { schemaOf, type CrdSpec, type CrdVersion } from './crd-types.ts';

const SPEC = FieldPath.of('spec');
const VERSIONS = SPEC.child('versions');
const MAX_WARNING_BYTES = 256;

/**
 * Makes what compiles the rules of one version; undefined where rules are only
 * checked for their form. `isUnchanged`: the schema is stored as it is already.
 * `patterns`: what is left for those of all versions.
 */
export type RuleCompilerFactory =
  | ((options: { isUnchanged: boolean; patterns: PatternBudget }) => RuleCompiler)
  | undefined;

/**
 * Everything about the versions of a definition. `old`: the definition before
 * an update; a schema that has not changed is not checked again.
 *
 * Where all versions say the same (or there is only one), errors are reported
 * once, under a path that belongs to none of them: `spec.validation` for
 * schemas, `spec.additionalPrinterColumns` and so on. So it is recorded.
 */
export function* validateVersions(
  spec: CrdSpec,
  old: CrdSpec | undefined,
  rules: RuleCompilerFactory,
): Steps<FieldError[]> {
  const versions = spec.versions ?? [];
  const errors = errorsOfEach(versions, (version, i) => {
    const path = VERSIONS.index(i);
    return [
      ...(schemaOf(version) === undefined
        ? [fieldError.required(path.child('schema').child('openAPIV3Schema'))]
        : []),
      ...validateVersionName(path.child('name'), version.name),
      ...validateDeprecation(path.child('deprecationWarning'), version),
    ];
  });
  const patterns = new PatternBudget(MAX_PATTERN_WORK);
  const ruleText = new RuleTextBudget();
  const defaults = DefaultBudget.ofDefinition();
  for (const part of PARTS) {
    yield;
    const shared = isShared(versions, part);
    for (const [i, version] of versions.entries()) {
      const path = shared ? SPEC : VERSIONS.index(i);
      const context = { spec, old, version, shared, rules, patterns, ruleText, defaults };
      errors.push(...(yield* validatePart(part, path, context)));
      if (shared) break;
    }
  }
  return [...errors, ...validateWhole(versions)];
}

const PARTS = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
type Part = (typeof PARTS)[number];

function isShared(versions: readonly CrdVersion[], part: Part): boolean {
  const [first, ...others] = versions;
  return others.every((version) =>
    deepEqual(version[part] as JsonValue, first?.[part] as JsonValue),
  );
}

interface PartContext {
  readonly spec: CrdSpec;
  readonly old: CrdSpec | undefined;
  readonly version: CrdVersion;
  readonly shared: boolean;
  readonly rules: RuleCompilerFactory;
  readonly patterns: PatternBudget;
  readonly ruleText: RuleTextBudget;
  readonly defaults: DefaultBudget;
}

function* validatePart(part: Part, path: FieldPath, context: PartContext): Steps<FieldError[]> {
  const { version, old } = context;
  const before = old?.versions?.find(({ name }) => name === version.name);
  switch (part) {
    case 'schema':
      return yield* validateSchema(path.child(context.shared ? 'validation' : 'schema'), context);
    case 'subresources':
      return version.subresources === undefined
        ? []
        : validateSubresources(path.child(part), version.subresources, {
            schema: schemaOf(version),
            old: before?.subresources,
          });
    case 'additionalPrinterColumns':
      return errorsOfEach(version.additionalPrinterColumns ?? [], (column, i) =>
        validateColumn(path.child(part).index(i), column, before?.additionalPrinterColumns),
      );
    case 'selectableFields': {
      const schema = schemaOf(version);
      if (version.selectableFields === undefined || schema === undefined) return [];
      return validateSelectableFields(
        path.child(part),
        version.selectableFields,
        yield* schemaSteps(schema),
        before?.selectableFields,
      );
    }
  }
}

function* validateSchema(
  path: FieldPath,
  { spec, old, version, shared, rules, patterns, ruleText, defaults }: PartContext,
): Steps<FieldError[]> {
  const schema = schemaOf(version);
  if (schema === undefined) return [];
  const hasStatus = statusOf(spec, version, shared);
  const before = old?.versions?.find(({ name }) => name === version.name);
  const isUnchanged = before !== undefined && deepEqual(schema, schemaOf(before));
  if (old !== undefined && isUnchanged && statusOf(old, before, shared) === hasStatus) return [];
  const options = {
    hasStatus,
    rules: rules?.({ isUnchanged, patterns }),
    patterns,
    ruleText,
    defaults,
  };
  return yield* checkSchemaSteps(schema, path.child('openAPIV3Schema'), options);
}

/** A schema that all versions share is judged as if all had the status subresource that one has. */
function statusOf(spec: CrdSpec, version: CrdVersion, shared: boolean): boolean {
  const versions = shared ? (spec.versions ?? []) : [version];
  return versions.some(({ subresources }) => subresources?.status !== undefined);
}

function validateVersionName(path: FieldPath, name: string): FieldError[] {
  const wrong = dns1035LabelErrors(name);
  return wrong.length === 0 ? [] : [fieldError.invalid(path, name, wrong.join(','))];
}

/** What a header value can show: one line, no control characters. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function validateDeprecation(
  path: FieldPath,
  { deprecated = false, deprecationWarning: text }: CrdVersion,
): FieldError[] {
  if (text === undefined) return [];
  if (!deprecated)
    return [fieldError.invalid(path, text, 'can only be set for deprecated versions')];
  const wrong: string[] = [];
  if (Buffer.byteLength(text) > MAX_WARNING_BYTES) {
    wrong.push(`must be <= ${MAX_WARNING_BYTES} characters long`);
  }
  if (text === '') wrong.push('must not be an empty string');
  const bad = text.search(UNPRINTABLE);
  if (bad >= 0) {
    wrong.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(text.slice(0, bad))}`,
    );
  }
  return wrong.map((why) => fieldError.invalid(path, text, why));
}

/** What holds of all versions together. */
function validateWhole(versions: readonly CrdVersion[]): FieldError[] {
  const errors: FieldError[] = [];
  const shown = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(fieldError.invalid(VERSIONS, shown, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const why = 'must have exactly one version marked as storage version';
    errors.push(fieldError.invalid(VERSIONS, shown, why));
  }
  // the reference has the name of the first version in another field besides, and checks it there too
  const first = versions[0]?.name ?? '';
  if (first !== '') errors.push(...validateVersionName(SPEC.child('version'), first));
  return errors;
}
