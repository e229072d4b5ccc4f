import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { dns1035LabelErrors } from '../../api/names.ts';
import { bundleProblem } from '../ca-bundle.ts';
import { validateClientConfig } from '../webhook-client.ts';
import type { CrdConversion, CrdSpec } from './crd-types.ts';

/** Versions of ConversionReview that are known; at least one of them has to be offered. */
const KNOWN_REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
const STRATEGIES = ['None', 'Webhook'];

export interface ConversionRules {
  /** One of the review versions has to be known. */
  readonly needsKnownVersion: boolean;
  /** The bundle may be broken: nothing is served by it yet. */
  readonly allowsBrokenBundle: boolean;
}

/**
 * Errors are reported under the names that the reference uses inside.
 * Source: specification 3, section 2.1, conversion; behaviours 7.16.
 */
export function validateConversion(
  path: FieldPath,
  spec: CrdSpec,
  rules: ConversionRules,
): FieldError[] {
  const { conversion } = spec;
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const strategyPath = path.child('strategy');
  const errors: FieldError[] = [];
  if (strategy !== 'None' && spec.preserveUnknownFields === true) {
    const why = 'must be None if spec.preserveUnknownFields is true';
    errors.push(fieldError.invalid(strategyPath, strategy, why));
  }
  if (strategy === '') errors.push(fieldError.required(strategyPath));
  else if (!STRATEGIES.includes(strategy)) {
    errors.push(fieldError.notSupported(strategyPath, strategy, STRATEGIES));
  }
  if (strategy === 'Webhook') return [...errors, ...validateWebhook(path, webhook, rules)];
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) {
    errors.push(fieldError.forbidden(path.child('webhookClientConfig'), why));
  }
  if ((webhook?.conversionReviewVersions ?? []).length > 0) {
    errors.push(fieldError.forbidden(path.child('conversionReviewVersions'), why));
  }
  return errors;
}

function validateWebhook(
  path: FieldPath,
  webhook: CrdConversion['webhook'],
  { needsKnownVersion, allowsBrokenBundle }: ConversionRules,
): FieldError[] {
  const at = path.child('webhookClientConfig');
  const config = webhook?.clientConfig;
  const errors: FieldError[] = [];
  if (config === undefined) {
    errors.push(fieldError.required(at, 'required when strategy is set to Webhook'));
  } else {
    errors.push(...validateClientConfig(at, config));
    const problem = allowsBrokenBundle ? undefined : bundleProblem(config.caBundle);
    if (problem !== undefined) {
      errors.push(fieldError.invalid(at.child('caBundle'), config.caBundle, problem));
    }
  }
  const versions = webhook?.conversionReviewVersions ?? [];
  return [
    ...errors,
    ...validateReviewVersions(path.child('conversionReviewVersions'), versions, needsKnownVersion),
  ];
}

function validateReviewVersions(
  path: FieldPath,
  versions: readonly string[],
  needsKnownVersion: boolean,
): FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)];
  const seen = new Set<string>();
  const errors = errorsOfEach(versions, (version, i) => {
    if (seen.has(version)) return [fieldError.invalid(path.index(i), version, 'duplicate version')];
    seen.add(version);
    return invalidEach(path.index(i), version, dns1035LabelErrors(version));
  });
  if (needsKnownVersion && !hasKnownVersion(versions)) {
    const why = `must include at least one of ${KNOWN_REVIEW_VERSIONS.join(', ')}`;
    errors.push(fieldError.invalid(path, [...versions], why));
  }
  return errors;
}

function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => KNOWN_REVIEW_VERSIONS.includes(version));
}

/** What was accepted before may stay: unknown versions, a bundle that cannot be read. */
export function conversionRulesAfter(old: CrdSpec, isEstablished: boolean): ConversionRules {
  const webhook = old.conversion?.webhook;
  const versions = webhook?.conversionReviewVersions ?? [];
  return {
    needsKnownVersion: versions.length === 0 || hasKnownVersion(versions),
    allowsBrokenBundle:
      !isEstablished || bundleProblem(webhook?.clientConfig?.caBundle) !== undefined,
  };
}
