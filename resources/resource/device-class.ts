import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, isObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { DNS_LABEL_MAX, dns1123SubdomainErrors } from '../../api/names.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { expressionError, type DeviceScope, type ExpressionChecker } from '../expressions.ts';
import type { FeatureGates } from '../feature-gates.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { validateMetadataFinalizers } from '../metadata-rules.ts';
import { isExtendedResourceName } from '../resource-quantities.ts';
import { deviceClassSchema } from './device-class-schema.ts';

type DeviceClass = ValueOf<typeof deviceClassSchema>;
type DeviceClassSpec = DeviceClass['spec'];
type SelectorValue = NonNullable<DeviceClassSpec['selectors']>[number];
type ConfigValue = NonNullable<DeviceClassSpec['config']>[number];

const MAX_SELECTORS = 32;
const MAX_CONFIGS = 32;
/** Source of both: specification 1, section 8. */
const MAX_EXPRESSION_BYTES = 10 * 1024;
const MAX_PARAMETERS_BYTES = 10 * 1024;
/** Steps that one evaluation may take. Source: behaviours 9.14. */
const MAX_EXPRESSION_COST = 1_000_000n;

const SPEC = FieldPath.of('spec');

/** Source: specification 3, section 2.2; behaviours 9.14. What was stored before is not compiled again. */
function validate(
  object: DeviceClass,
  before: DeviceClass | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const { spec } = object;
  const old = before?.spec;
  const { selectors = [], config = [], extendedResourceName } = spec;
  const isStored = (field: keyof DeviceClassSpec): boolean =>
    old !== undefined && deepEqual(spec[field], old[field]);
  const errors = validateMetadataFinalizers(object.metadata);
  if (!isStored('selectors')) errors.push(...validateSelectors(selectors, checker));
  if (!isStored('config')) errors.push(...validateConfigs(config));
  if (extendedResourceName !== undefined && !isExtendedResourceName(extendedResourceName)) {
    const path = SPEC.child('extendedResourceName');
    const why = 'must be a valid extended resource name';
    errors.push(fieldError.invalid(path, extendedResourceName, why));
  }
  return errors;
}

function validateSelectors(
  selectors: readonly SelectorValue[],
  checker: ExpressionChecker,
): FieldError[] {
  const path = SPEC.child('selectors');
  if (selectors.length > MAX_SELECTORS) {
    return [fieldError.tooMany(path, selectors.length, MAX_SELECTORS)];
  }
  const scope = checker.deviceScope();
  return errorsOfEach(selectors, ({ cel }, i) => {
    const at = path.index(i).child('cel');
    return cel === undefined
      ? [fieldError.required(at)]
      : validateExpression(at.child('expression'), cel.expression, scope);
  });
}

function validateExpression(path: FieldPath, expression: string, scope: DeviceScope): FieldError[] {
  // what is too long is not worth compiling
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES) {
    return [fieldError.tooLong(path, MAX_EXPRESSION_BYTES)];
  }
  const { problem, cost } = scope.check(expression);
  if (problem !== undefined) return [expressionError(path, expression, problem)];
  return cost > MAX_EXPRESSION_COST
    ? [fieldError.forbidden(path, 'too complex, exceeds cost limit')]
    : [];
}

function validateConfigs(configs: readonly ConfigValue[]): FieldError[] {
  const path = SPEC.child('config');
  if (configs.length > MAX_CONFIGS) {
    return [fieldError.tooMany(path, configs.length, MAX_CONFIGS)];
  }
  return errorsOfEach(configs, ({ opaque }, i) => {
    const at = path.index(i).child('opaque');
    if (opaque === undefined) return [fieldError.required(at)];
    return [
      ...validateDriver(at.child('driver'), opaque.driver),
      ...validateParameters(at.child('parameters'), opaque.parameters),
    ];
  });
}

function validateDriver(path: FieldPath, driver: string): FieldError[] {
  if (driver === '') return [fieldError.required(path)];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(driver) > DNS_LABEL_MAX)
    errors.push(fieldError.tooLong(path, DNS_LABEL_MAX));
  return [...errors, ...invalidEach(path, driver, dns1123SubdomainErrors(driver))];
}

function validateParameters(path: FieldPath, parameters: JsonValue): FieldError[] {
  if (parameters === null) return [fieldError.required(path)];
  if (Buffer.byteLength(stringifyJson(parameters)) > MAX_PARAMETERS_BYTES) {
    return [fieldError.tooLong(path, MAX_PARAMETERS_BYTES)];
  }
  return isObject(parameters)
    ? []
    : [fieldError.invalid(path, '<value omitted>', 'must be a valid JSON object')];
}

/** Source: specification 3, section 2.2 and 4; behaviours 9.0 and 9.14. Served with its gate only, see builtin.ts. */
export function deviceClassDefinition(
  gates: FeatureGates,
  checker: ExpressionChecker,
): ResourceDefinition {
  const dropUngated = (object: DeviceClass, old: DeviceClass | undefined): void => {
    if (gates.DRAExtendedResource) return;
    if (old?.spec.extendedResourceName !== undefined) return;
    delete object.spec.extendedResourceName;
  };
  return builtinDefinition({
    group: 'resource.cluster.io',
    version: 'v1',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    namespaced: false,
    deleteReturnsObject: true,
    schema: deviceClassSchema,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: true,
      prepareForCreate(object) {
        dropUngated(object, undefined);
        startGeneration(object);
      },
      validate: (object) => validate(object, undefined, checker),
      prepareForUpdate(object, old) {
        dropUngated(object, old);
        countGeneration(object, old, 'spec');
      },
      validateUpdate: (object, old) => validate(object, old, checker),
    },
    columns: [nameColumn, ageColumn],
  });
}
