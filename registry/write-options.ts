import { invalid } from '../api/api-error.ts';
import { FieldPath } from '../api/field-path.ts';
import { validateFieldManager } from '../patch/patch-options.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import type { JsonObject } from '../api/json.ts';
import { booleanParameter, type Query } from '../api/query.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** What a client may say in addition to the object of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** As given; empty: the manager is named after the client. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** What the client said of it; empty: nothing. */
  readonly givenFieldValidation: string;
  /** Patch only: apply takes fields over from other managers. */
  readonly force: boolean | undefined;
}

export const DEFAULT_WRITE_OPTIONS: WriteOptions = {
  dryRun: false,
  fieldManager: '',
  fieldValidation: 'Ignore',
  givenFieldValidation: '',
  force: undefined,
};

export type OptionsKind =
  | 'CreateOptions'
  | 'UpdateOptions'
  | 'PatchOptions'
  | 'DeleteOptions'
  | 'ListOptions';

export const META_GROUP = 'meta.cluster.io';
const FIELD_VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Options of a write from the query.
 *
 * @throws ApiError 422 on `CreateOptions.meta.cluster.io ""` and the like
 */
export function writeOptionsFrom(
  query: Query,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  extra: readonly FieldError[] = [],
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...extra,
    ...dryRunErrors(dryRun),
    // a patch's own rules come with `extra`
    ...(kind === 'PatchOptions'
      ? []
      : validateFieldManager(fieldManager, FieldPath.of('fieldManager'))),
    ...(FIELD_VALIDATIONS.includes(fieldValidation)
      ? []
      : [fieldError.notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)]),
  ];
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    givenFieldValidation: fieldValidation,
    force: booleanParameter(query, 'force'),
  };
}

/** The 422 of options that break a rule. */
export function invalidOptions(kind: OptionsKind, errors: readonly FieldError[]): Error {
  return invalid({ group: META_GROUP, kind }, '', errors);
}

/** What is wrong with the values of `dryRun`: only `All` is allowed. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All')
    ? []
    : [fieldError.notSupported('dryRun', [...values], ['All'])];
}

/** The options as admission shows them, with their type and as the client gave them. */
export function optionsObject(
  kind: 'CreateOptions' | 'UpdateOptions',
  options: WriteOptions,
): JsonObject {
  return {
    kind,
    apiVersion: `${META_GROUP}/v1`,
    ...(options.dryRun ? { dryRun: ['All'] } : {}),
    ...(options.fieldManager === '' ? {} : { fieldManager: options.fieldManager }),
    ...(options.givenFieldValidation === ''
      ? {}
      : { fieldValidation: options.givenFieldValidation }),
  };
}
