import { ApiError, apiError, forbidden } from '../../api/api-error.ts';
import type { StatusReason } from '../../api/status.ts';
import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { Outcome } from '../decisions.ts';
import { Authorizations } from '../expressions/authorization.ts';
import { isExemptFromPolicies } from '../match/exempt.ts';
import { LiveCandidates } from '../match/live-candidates.ts';
import { ShownVersions } from '../shown-versions.ts';
import { PolicyAnnotations } from './annotations.ts';
import { invocationsOf, namespaceObjectOf, type PolicyInvocation } from './invocations.ts';
import type { PolicyParts } from './parts.ts';
import type { Binding, BoundPolicy } from './policy.ts';
import { PolicyReports } from './reports.ts';
import {
  policySteps,
  type Denial,
  type ValidatingPolicy,
  type Verdict,
} from './validating-policy.ts';

/** A denial that the client is told of, with who denies. */
interface Refusal {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: StatusReason;
}

/** Evaluates ValidatingAdmissionPolicies. Source: behaviours 8.13. */
export class ValidatingPolicies implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #parts: PolicyParts<ValidatingPolicy>;
  readonly #reports: PolicyReports;
  readonly #candidates: LiveCandidates<BoundPolicy<ValidatingPolicy>>;

  constructor(parts: PolicyParts<ValidatingPolicy>) {
    this.#parts = parts;
    this.#reports = new PolicyReports(this.name, parts);
    this.#candidates = new LiveCandidates(parts.policies);
  }

  handles(_: Operation, attributes: AdmissionAttributes): boolean {
    return this.#candidates.for(attributes).length > 0 && !isExemptFromPolicies(attributes);
  }

  /** All policies are evaluated: warnings and audit annotations of each are of use. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    await attributes.prepareOldObject?.();
    const shown = new ShownVersions(attributes);
    const annotations = new PolicyAnnotations(attributes.audit);
    const authorizations = new Authorizations(this.#parts.authorizer, attributes.user);
    const refusals: Refusal[] = [];
    const problems: Refusal[] = [];
    const candidates = this.#candidates.for(attributes);
    for await (const selected of invocationsOf(candidates, attributes, shown, this.#parts)) {
      if ('problem' in selected) {
        const { policy, binding, message } = selected.problem;
        this.#reports.failure(policy, message);
        this.#reports.begin(policy, attributes).failed(message);
        if (policy.ignoresFailure) continue;
        problems.push({ policy: policy.name, binding: binding?.name, message, reason: 'Invalid' });
        continue;
      }
      const { invocation } = selected;
      const { policy, binding } = invocation;
      const evaluation = this.#reports.begin(policy, attributes);
      let verdict: Verdict;
      try {
        verdict = await this.#evaluate(invocation, attributes, shown, authorizations);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#reports.failure(policy, 'the object could not be shown in the version of the policy');
        evaluation.failed(error.message);
        if (policy.ignoresFailure) continue;
        const message = `failed to configure binding: ${error.message}`;
        problems.push({ policy: policy.name, binding: binding.name, message, reason: 'Invalid' });
        continue;
      }
      for (const what of verdict.failures) this.#reports.failure(policy, what);
      for (const { key, value } of verdict.annotations) annotations.add(policy.name, key, value);
      const denied = verdict.denials.filter((denial) =>
        this.#act(attributes, annotations, policy, binding, denial),
      );
      for (const { message, reason } of denied) {
        refusals.push({ policy: policy.name, binding: binding.name, message, reason });
      }
      if (verdict.matches) {
        evaluation.decided(outcomeOf(policy, verdict, denied.length > 0), denied[0]?.message);
      }
    }
    annotations.publish();
    // a rule that the client has broken is more use to it than what others have to repair
    const [first] = [...refusals, ...problems];
    if (first !== undefined) throw refusalError(attributes, first);
  }

  async #evaluate(
    { policy, matched, param }: PolicyInvocation<ValidatingPolicy>,
    attributes: AdmissionAttributes,
    shown: ShownVersions,
    authorizations: Authorizations,
  ): Promise<Verdict> {
    const { object, oldObject } = await shown.showIn(matched.kind);
    const namespace = await namespaceObjectOf(attributes, this.#parts.namespaces);
    const input = {
      attributes,
      matched,
      object,
      oldObject,
      authorizations,
      params: param,
      namespace,
    };
    return authorizations.settle(() => policySteps(policy, input));
  }

  /** Does what the binding says; true when the request is to be refused. */
  #act(
    { warnings }: AdmissionAttributes,
    annotations: PolicyAnnotations,
    policy: ValidatingPolicy,
    { name, actions }: Binding,
    denial: Denial,
  ): boolean {
    if (denial.always === true) return true;
    if (actions.includes('Audit')) annotations.addFailure(policy.name, name, actions, denial);
    if (actions.includes('Warn')) {
      warnings.add(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${name}': ${denial.message}`,
      );
    }
    return actions.includes('Deny');
  }
}

function outcomeOf(
  { ignoresFailure }: ValidatingPolicy,
  { failures, denials }: Verdict,
  isDenied: boolean,
): Outcome {
  // where failures are ignored, what is denied is a broken rule
  if (failures.length > 0 && !(isDenied && ignoresFailure)) return 'failed';
  if (isDenied) return 'refused';
  return denials.length > 0 ? 'noted' : 'allowed';
}

const CODES: Partial<Record<StatusReason, number>> = {
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

function refusalError(
  { resource, name }: AdmissionAttributes,
  { policy, binding, message, reason }: Refusal,
): ApiError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { status } = forbidden(resource, name, text);
  return apiError(CODES[reason] ?? 422, reason, status.message ?? '', {
    ...status.details,
    causes: [{ message: text }],
  });
}
