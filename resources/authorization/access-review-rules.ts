import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/** An access review, as the codec has checked it. */
type Review = JsonObject;

const SPEC = FieldPath.of('spec');
const RESOURCE = SPEC.child('resourceAttributes');
const PATH = SPEC.child('nonResourceAttributes');
const TAKE_VALUES: readonly JsonValue[] = ['In', 'NotIn'];
const TAKE_NONE: readonly JsonValue[] = ['Exists', 'DoesNotExist'];

/** Source: behaviours 10.6; validation of authorization in kube. */
export function validateSelfReview(review: Review): FieldError[] {
  return [...validateAttributes(review), ...validateMetadata(review)];
}

/** As for a self review, and the review must name its subject. */
export function validateSubjectReview(review: Review): FieldError[] {
  return [...validateAttributes(review), ...validateSubject(review), ...validateMetadata(review)];
}

/** One that belongs to a namespace asks about that namespace only. */
export function validateLocalReview(review: Review): FieldError[] {
  const errors = [
    ...validateAttributes(review),
    ...validateSubject(review),
    ...validateMetadata(review, ['namespace']),
  ];
  const attributes = getPath(review, 'spec', 'resourceAttributes');
  const asked = isObject(attributes) ? (attributes.namespace ?? '') : undefined;
  if (asked !== undefined && asked !== (getPath(review, 'metadata', 'namespace') ?? '')) {
    const why = 'must match metadata.namespace';
    errors.push(fieldError.invalid(RESOURCE.child('namespace'), asked, why));
  }
  const path = getPath(review, 'spec', 'nonResourceAttributes');
  if (isObject(path)) {
    errors.push(fieldError.invalid(PATH, path, 'disallowed on this kind of request'));
  }
  return errors;
}

function validateAttributes(review: Review): FieldError[] {
  const resource = getPath(review, 'spec', 'resourceAttributes');
  const path = getPath(review, 'spec', 'nonResourceAttributes');
  if (isObject(resource) && isObject(path)) {
    return [
      fieldError.invalid(PATH, path, 'cannot be specified in combination with resourceAttributes'),
    ];
  }
  if (!isObject(resource)) {
    if (isObject(path)) return [];
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    return [fieldError.invalid(RESOURCE, null, why)];
  }
  return ['fieldSelector', 'labelSelector'].flatMap((key) =>
    validateSelector(RESOURCE.child(key), resource[key]),
  );
}

function validateSelector(path: FieldPath, selector: JsonValue | undefined): FieldError[] {
  if (!isObject(selector)) return [];
  const requirements = Array.isArray(selector.requirements) ? selector.requirements : [];
  const { rawSelector = '' } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    const why = 'may not specified at the same time as requirements';
    return [fieldError.invalid(path.child('rawSelector'), rawSelector, why)];
  }
  if (rawSelector === '' && requirements.length === 0) {
    const why = `when ${path.toString()} is specified, requirements or rawSelector is required`;
    return [fieldError.required(path.child('requirements'), why)];
  }
  const at = path.child('requirements');
  return errorsOfEach(requirements.filter(isObject), (requirement, i) =>
    validateRequirement(at.index(i), requirement),
  );
}

/** Unknown operators are not errors: the response says that they were left out. */
function validateRequirement(path: FieldPath, requirement: JsonObject): FieldError[] {
  const { key = '', operator = '', values } = requirement;
  const count = Array.isArray(values) ? values.length : 0;
  const errors: FieldError[] = [];
  if (key === '') errors.push(fieldError.required(path.child('key'), 'must be specified'));
  if (TAKE_VALUES.includes(operator) && count === 0) {
    const why = "must be specified when `operator` is 'In' or 'NotIn'";
    errors.push(fieldError.required(path.child('values'), why));
  }
  if (TAKE_NONE.includes(operator) && count > 0) {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(fieldError.forbidden(path.child('values'), why));
  }
  return errors;
}

function validateSubject(review: Review): FieldError[] {
  const user = getPath(review, 'spec', 'user') ?? '';
  const groups = getPath(review, 'spec', 'groups');
  if (user !== '' || (Array.isArray(groups) && groups.length > 0)) return [];
  const why = 'at least one of user or group must be specified';
  return [fieldError.invalid(SPEC.child('user'), '', why)];
}

/** A question has no name. */
function validateMetadata({ metadata }: Review, allowed: readonly string[] = []): FieldError[] {
  if (!isObject(metadata)) return [];
  const given = Object.keys(metadata).filter(
    (key) => key !== 'managedFields' && !allowed.includes(key),
  );
  return given.length === 0 ? [] : [fieldError.invalid('metadata', metadata, 'must be empty')];
}
