import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';
import type { AdmissionAttributes } from '../attributes.ts';

const POLICIES: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);
const CONFIGURATIONS: ReadonlySet<string> = new Set([
  ...POLICIES,
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);

type Kind = Pick<AdmissionAttributes, 'kind'>;

/**
 * Webhooks are never asked about what configures webhooks and policies: whatever
 * stands in the way can be changed or deleted. Source: specification 3, section
 * 2.3, rules; behaviours 8.9.
 */
export function isExemptFromWebhooks({ kind }: Kind): boolean {
  return kind.group === ADMISSIONREGISTRATION_GROUP && CONFIGURATIONS.has(kind.kind);
}

/** Policies may guard configurations of webhooks, but neither themselves nor each other. */
export function isExemptFromPolicies({ kind }: Kind): boolean {
  return kind.group === ADMISSIONREGISTRATION_GROUP && POLICIES.has(kind.kind);
}
