import { ApiError, apiError, forbidden } from '../../api/api-error.ts';
import { getPath } from '../../api/json.ts';
import { equalSteps } from '../../api/json-steps.ts';
import { inTurns } from '../../api/steps.ts';
import { stringifyJson } from '../../api/json-write.ts';
import type { StatusReason } from '../../api/status.ts';
import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { Authorizations } from '../expressions/authorization.ts';
import type { ExpressionInput } from '../expressions/bindings.ts';
import { isExemptFromPolicies } from '../match/exempt.ts';
import { MATCH_CONDITIONS_FAILED } from '../failure-report.ts';
import { LiveCandidates } from '../match/live-candidates.ts';
import { Reinvocations, type MutationPass } from '../reinvocation.ts';
import { VersionedRequest } from '../versioned-request.ts';
import {
  invocationsOf,
  namespaceObjectOf,
  type PolicyInvocation,
  type Selected,
} from './invocations.ts';
import {
  mutatedSteps,
  mutationSteps,
  MutationError,
  type MutatingPolicy,
  type Mutation,
} from './mutating-policy.ts';
import type { PolicyParts } from './parts.ts';
import type { Binding, BoundPolicy } from './policy.ts';
import { PolicyReports } from './reports.ts';

type Invocation = PolicyInvocation<MutatingPolicy>;

/** `skipped`: its conditions leave the request out, or failed. */
type Effect = 'skipped' | 'unchanged' | 'changed';

interface Failure {
  readonly policy: MutatingPolicy;
  readonly binding: Binding | undefined;
  readonly message: string;
  /** Empty: Forbidden. */
  readonly reason: StatusReason;
}

/** What one request is evaluated with. */
interface Run {
  readonly attributes: AdmissionAttributes;
  readonly shown: VersionedRequest;
  readonly authorizations: Authorizations;
  readonly failures: Failure[];
}

/**
 * Evaluates MutatingAdmissionPolicies, one after the other: each sees what those
 * before it have made of the object. Source: behaviours 8.13; k8s.io/apiserver
 * pkg/admission/plugin/policy/mutating/dispatcher.go.
 */
export class MutatingPolicies implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionPolicy';
  readonly #parts: PolicyParts<MutatingPolicy>;
  readonly #reports: PolicyReports;
  readonly #candidates: LiveCandidates<BoundPolicy<MutatingPolicy>>;

  constructor(parts: PolicyParts<MutatingPolicy>) {
    this.#parts = parts;
    this.#reports = new PolicyReports(this.name, parts);
    this.#candidates = new LiveCandidates(parts.policies);
  }

  handles(operation: Operation, attributes: AdmissionAttributes): boolean {
    return (
      operation !== 'DELETE' &&
      this.#candidates.for(attributes).length > 0 &&
      !isExemptFromPolicies(attributes)
    );
  }

  async mutate(attributes: AdmissionAttributes, pass: MutationPass): Promise<void> {
    const again = pass.memoryOf(this, () => new Reinvocations());
    if (pass.isSecond) await again.compareWithOutput(attributes.object);
    await attributes.prepareOldObject?.();
    const shown = new VersionedRequest(attributes);
    const authorizations = new Authorizations(this.#parts.authorizer, attributes.user);
    const run: Run = { attributes, shown, authorizations, failures: [] };
    // which policies run is decided by the object as it came
    const selected: Selected<MutatingPolicy>[] = [];
    const candidates = this.#candidates.for(attributes);
    for await (const one of invocationsOf(candidates, attributes, shown, this.#parts)) {
      selected.push(one);
    }
    let isChanged = false;
    for (const one of selected) {
      if ('problem' in one) {
        run.failures.push({ ...one.problem, reason: '' });
        const { policy, message } = one.problem;
        this.#reports.failure(policy, message);
        this.#reports.begin(policy, attributes).failed(message);
        continue;
      }
      const { invocation } = one;
      const id = idOf(invocation);
      if (pass.isSecond && !again.isRequired(id)) continue;
      const outcome = await this.#decide(invocation, run);
      if (outcome === 'skipped') continue;
      if (outcome === 'changed') {
        isChanged = true;
        again.requireAgain();
        pass.requestSecond();
      }
      if (invocation.policy.isReinvoked) again.addInvoked(id);
    }
    // a policy is run again for its own change, too
    if (isChanged) again.requireAgain();
    await shown.finish();
    await again.rememberOutput(attributes.object);
    refuse(run);
  }

  /** Runs a policy, and reports its decision. */
  async #decide(invocation: Invocation, run: Run): Promise<Effect> {
    const evaluation = this.#reports.begin(invocation.policy, run.attributes);
    const before = run.failures.length;
    try {
      const effect = await this.#invoke(invocation, run);
      const failure = run.failures[before];
      if (failure !== undefined) evaluation.failed(failure.message);
      else if (effect !== 'skipped') evaluation.decided('allowed');
      return effect;
    } catch (error) {
      // the request is refused, whatever the failurePolicy
      if (error instanceof ApiError) evaluation.decided('failed', error.message);
      throw error;
    }
  }

  async #invoke(invocation: Invocation, run: Run): Promise<Effect> {
    const { policy, binding, matched } = invocation;
    const { shown, authorizations, failures } = run;
    await shown.showIn(matched.kind);
    const before = shown.object;
    if (before === undefined) return 'skipped';
    if (!policy.conditions.isEmpty) {
      const input = await this.#input(invocation, run);
      const result = await authorizations.settle(() => policy.conditions.evaluateSteps(input));
      if ('error' in result) {
        failures.push({ policy, binding, message: result.error, reason: 'Invalid' });
        this.#reports.failure(policy, MATCH_CONDITIONS_FAILED);
        return 'skipped';
      }
      if (!result.matches) return 'skipped';
    }
    for (const mutation of policy.mutations) {
      try {
        await this.#change(invocation, mutation, run);
      } catch (error) {
        if (!(error instanceof MutationError) && !(error instanceof ApiError)) throw error;
        // an object of another kind is invalid, whatever the failurePolicy
        if (error instanceof ApiError && error.status.code === 422) throw error;
        failures.push({ policy, binding, message: error.message, reason: 'Invalid' });
        this.#reports.failure(policy, 'a mutation could not be evaluated or applied');
      }
    }
    const isSame = await inTurns(equalSteps(before, shown.object ?? null));
    return isSame ? 'unchanged' : 'changed';
  }

  /** @throws MutationError, or ApiError for a result that is not an object of the kind */
  async #change(invocation: Invocation, mutation: Mutation, run: Run): Promise<void> {
    const { shown, attributes, authorizations } = run;
    const { object } = shown;
    if (object === undefined) return;
    const input = await this.#input(invocation, run);
    const value = await authorizations.settle(() =>
      mutationSteps(invocation.policy, mutation, input),
    );
    const { apiVersion } = object;
    const schema = attributes.access.mergeSchema(typeof apiVersion === 'string' ? apiVersion : '');
    const changed = await inTurns(mutatedSteps(mutation, value, object, schema));
    if (changed !== object) shown.replace(await attributes.access.normalise(changed, object));
  }

  async #input({ matched, param }: Invocation, run: Run): Promise<ExpressionInput> {
    const { attributes, shown, authorizations } = run;
    const namespace = await namespaceObjectOf(attributes, this.#parts.namespaces);
    const { object, oldObject } = shown;
    return { attributes, matched, object, oldObject, authorizations, params: param, namespace };
  }
}

function idOf({ policy, binding, param }: Invocation): string {
  const named = (key: string): string => {
    const value = param && getPath(param, 'metadata', key);
    return typeof value === 'string' ? value : '';
  };
  return stringifyJson([policy.name, binding.name, named('namespace'), named('name')]);
}

/** @throws ApiError that tells of everything that went wrong and may not */
function refuse({ attributes, failures }: Run): void {
  const counted = failures.filter(({ policy }) => !policy.ignoresFailure);
  const [first] = counted;
  if (first === undefined) return;
  const texts = counted.map(({ policy, binding, message }) => {
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    return `policy '${policy.name}'${by} denied request: ${message}`;
  });
  const { status } = forbidden(attributes.resource, attributes.name, '');
  const reason = first.reason === '' ? 'Forbidden' : first.reason;
  throw apiError(403, reason, texts[0] ?? '', {
    ...status.details,
    causes: texts.map((message) => ({ message })),
  });
}
