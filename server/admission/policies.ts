import type { AdmissionAuthorizer } from '../../admission/expressions/authorization.ts';
import type { DecisionReport } from '../../admission/decisions.ts';
import type { FailureReport } from '../../admission/failure-report.ts';
import type { NamespaceReader } from '../../admission/namespaces.ts';
import { compileMutatingPolicy } from '../../admission/policies/mutating-policy.ts';
import { MutatingPolicies } from '../../admission/policies/mutating.ts';
import type { ParamSource } from '../../admission/policies/params.ts';
import {
  bound,
  compileBinding,
  type Binding,
  type BoundPolicy,
  type Policy,
} from '../../admission/policies/policy.ts';
import { compileValidatingPolicy } from '../../admission/policies/validating-policy.ts';
import { ValidatingPolicies } from '../../admission/policies/validating.ts';
import type { Clock } from '../../api/clock.ts';
import type { ApiObject } from '../../api/object.ts';
import {
  mutatingAdmissionPolicyBindingSchema,
  validatingAdmissionPolicyBindingSchema,
  type PolicyBinding,
} from '../../resources/admissionregistration/policy-binding-schema.ts';
import {
  mutatingAdmissionPolicySchema,
  validatingAdmissionPolicySchema,
} from '../../resources/admissionregistration/policy-schema.ts';
import type { ObjectSchema } from '../../resources/object-of.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';
import type { Replica } from '../../watch/replica.ts';
import { FollowedList } from './followed-list.ts';

interface PolicyPluginParts {
  readonly replica: Replica;
  readonly namespaces: NamespaceReader;
  readonly params: ParamSource;
  readonly authorizer: AdmissionAuthorizer;
  readonly onFailure: FailureReport;
  readonly onDecision: DecisionReport;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

interface PolicyPlugins {
  readonly mutating: MutatingPolicies;
  readonly validating: ValidatingPolicies;
}

/** The plugins that evaluate the policies which the replica's bindings put into force. */
export function policyPlugins(parts: PolicyPluginParts): PolicyPlugins {
  const mutating = boundPolicies(parts, {
    policies: 'mutatingadmissionpolicies',
    bindings: 'mutatingadmissionpolicybindings',
    schema: mutatingAdmissionPolicySchema,
    bindingSchema: mutatingAdmissionPolicyBindingSchema,
    compile: compileMutatingPolicy,
  });
  const validating = boundPolicies(parts, {
    policies: 'validatingadmissionpolicies',
    bindings: 'validatingadmissionpolicybindings',
    schema: validatingAdmissionPolicySchema,
    bindingSchema: validatingAdmissionPolicyBindingSchema,
    compile: compileValidatingPolicy,
  });
  return {
    mutating: new MutatingPolicies({ ...parts, policies: mutating }),
    validating: new ValidatingPolicies({ ...parts, policies: validating }),
  };
}

/** The two resources that policies of one kind are made of. */
interface PolicyKind<O extends ApiObject, P extends Policy> {
  readonly policies: string;
  readonly bindings: string;
  readonly schema: ObjectSchema<O>;
  readonly bindingSchema: ObjectSchema<PolicyBinding>;
  readonly compile: (object: O) => P;
}

function boundPolicies<O extends ApiObject, P extends Policy>(
  { replica, onProblem }: PolicyPluginParts,
  kind: PolicyKind<O, P>,
): () => readonly BoundPolicy<P>[] {
  const group = ADMISSIONREGISTRATION_GROUP;
  const policies = new FollowedList({
    replica,
    resource: { group, resource: kind.policies },
    schema: kind.schema,
    compile: kind.compile,
    onProblem,
  });
  const bindings = new FollowedList({
    replica,
    resource: { group, resource: kind.bindings },
    schema: kind.bindingSchema,
    compile: compileBinding,
    onProblem,
  });
  let madeFrom: readonly [readonly P[], readonly Binding[]] = [[], []];
  let list: readonly BoundPolicy<P>[] = [];
  return () => {
    const now = [policies.current(), bindings.current()] as const;
    if (now[0] !== madeFrom[0] || now[1] !== madeFrom[1]) {
      madeFrom = now;
      list = bound(...now);
    }
    return list;
  };
}
