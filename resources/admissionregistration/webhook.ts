import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, isObject, type JsonValue } from '../../api/json.ts';
import { dns1035LabelErrors, fullyQualifiedNameErrors } from '../../api/names.ts';
import { validateLabelSelector } from '../../api/selectors/label-spec.ts';
import type { AdmissionScope, ExpressionChecker } from '../expressions.ts';
import { defaultClientConfig, validateClientConfig } from '../webhook-client.ts';
import { FAILURE_POLICIES, MATCH_POLICIES, oneOf, REINVOCATION_POLICIES } from './fixed-words.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { defaultRules, validateRule } from './rules.ts';
import { DEFAULT_TIMEOUT_SECONDS, type WebhookValue } from './webhook-schema.ts';

const MAX_TIMEOUT_SECONDS = 30;
/** Versions of the review that the server can send. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

/** Source: specification 3, section 2.3; behaviours 8.12. */
export function defaultWebhooks(webhooks: JsonValue | undefined, isMutating: boolean): void {
  if (!Array.isArray(webhooks)) return;
  for (const webhook of webhooks.filter(isObject)) {
    webhook['failurePolicy'] ??= 'Fail';
    webhook['matchPolicy'] ??= 'Equivalent';
    webhook['namespaceSelector'] ??= {};
    webhook['objectSelector'] ??= {};
    webhook['timeoutSeconds'] ??= DEFAULT_TIMEOUT_SECONDS;
    if (isMutating) webhook['reinvocationPolicy'] ??= 'Never';
    defaultClientConfig(webhook['clientConfig']);
    defaultRules(webhook['rules']);
  }
}

/** Rules that older objects may have been stored without; an update does not enforce them on those. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly names: boolean;
  readonly labelValues: boolean;
  readonly matchConditions: boolean;
}
const STRICT: Leniency = {
  sideEffects: false,
  reviewVersions: false,
  names: false,
  labelValues: false,
  matchConditions: false,
};

function leniencyTowards(
  webhooks: readonly WebhookValue[],
  old: readonly WebhookValue[],
): Leniency {
  const conditions = (list: readonly WebhookValue[]): JsonValue =>
    list.map((w) => w.matchConditions ?? []);
  return {
    sideEffects: old.some((w) => !SIDE_EFFECTS.includes(w.sideEffects ?? '')),
    reviewVersions: old.some((w) => hasNoKnownVersion(w.admissionReviewVersions ?? [])),
    names: new Set(old.map(({ name }) => name)).size < old.length,
    labelValues: old.some((w) => hasBadSelector(w)),
    matchConditions:
      webhooks.length === old.length && deepEqual(conditions(webhooks), conditions(old)),
  };
}

function hasNoKnownVersion(versions: readonly string[]): boolean {
  return versions.length > 0 && !versions.some((v) => REVIEW_VERSIONS.includes(v));
}

function hasBadSelector({ namespaceSelector, objectSelector }: WebhookValue): boolean {
  return [namespaceSelector, objectSelector].some(
    (selector) => validateLabelSelector(selector, FieldPath.root).length > 0,
  );
}

/** `old` undefined: the configuration is new. */
export function validateWebhooks(
  path: FieldPath,
  webhooks: readonly WebhookValue[],
  old: readonly WebhookValue[] | undefined,
  checker: ExpressionChecker,
): FieldError[] {
  const leniency = old === undefined ? STRICT : leniencyTowards(webhooks, old);
  const scope = checker.admissionScope({ params: false, variables: false });
  const names = new Set<string>();
  return errorsOfEach(webhooks, (webhook, i) => {
    const at = path.index(i);
    const errors = validateWebhook(at, webhook, leniency, scope);
    const { name } = webhook;
    if (!leniency.names && name !== '' && names.has(name)) {
      errors.push(fieldError.duplicate(at.child('name'), name));
    }
    names.add(name);
    return errors;
  });
}

function validateWebhook(
  path: FieldPath,
  webhook: WebhookValue,
  leniency: Leniency,
  scope: AdmissionScope,
): FieldError[] {
  const { name, rules = [], matchConditions = [] } = webhook;
  const selectors = { allowInvalidValues: leniency.labelValues };
  const at = (field: string): FieldPath => path.child(field);
  return [
    ...(name === ''
      ? [fieldError.required(at('name'))]
      : invalidEach(at('name'), name, fullyQualifiedNameErrors(name))),
    ...errorsOfEach(rules, (rule, i) => validateRule(at('rules').index(i), rule)),
    ...validateWords(path, webhook, leniency),
    ...validateLabelSelector(webhook.namespaceSelector, at('namespaceSelector'), selectors),
    ...validateLabelSelector(webhook.objectSelector, at('objectSelector'), selectors),
    ...validateClientConfig(at('clientConfig'), webhook.clientConfig),
    ...(leniency.matchConditions
      ? []
      : validateMatchConditions(at('matchConditions'), matchConditions, scope)),
    ...validateReviewVersions(
      at('admissionReviewVersions'),
      webhook.admissionReviewVersions ?? [],
      leniency,
    ),
  ];
}

function validateWords(
  path: FieldPath,
  { failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy }: WebhookValue,
  leniency: Leniency,
): FieldError[] {
  const errors = [
    ...oneOf(path.child('failurePolicy'), failurePolicy, FAILURE_POLICIES),
    ...oneOf(path.child('matchPolicy'), matchPolicy, MATCH_POLICIES),
    ...oneOf(path.child('reinvocationPolicy'), reinvocationPolicy, REINVOCATION_POLICIES),
  ];
  const at = path.child('sideEffects');
  const allowed = leniency.sideEffects ? [...SIDE_EFFECTS, 'Some', 'Unknown'] : SIDE_EFFECTS;
  if (sideEffects === null) {
    errors.push(fieldError.required(at, `must specify one of ${SIDE_EFFECTS.join(', ')}`));
  } else errors.push(...oneOf(at, sideEffects, allowed));
  if (
    timeoutSeconds !== undefined &&
    (timeoutSeconds < 1 || timeoutSeconds > MAX_TIMEOUT_SECONDS)
  ) {
    const why = `the timeout value must be between 1 and ${MAX_TIMEOUT_SECONDS} seconds`;
    errors.push(fieldError.invalid(path.child('timeoutSeconds'), timeoutSeconds, why));
  }
  return errors;
}

function validateReviewVersions(
  path: FieldPath,
  versions: readonly string[],
  leniency: Leniency,
): FieldError[] {
  if (versions.length === 0) {
    return [fieldError.required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  }
  const seen = new Set<string>();
  const errors = errorsOfEach(versions, (version, i) => {
    if (seen.has(version)) return [fieldError.invalid(path.index(i), version, 'duplicate version')];
    seen.add(version);
    return invalidEach(path.index(i), version, dns1035LabelErrors(version));
  });
  if (!leniency.reviewVersions && hasNoKnownVersion(versions)) {
    const why = `must include at least one of ${REVIEW_VERSIONS.join(', ')}`;
    errors.push(fieldError.invalid(path, [...versions], why));
  }
  return errors;
}
