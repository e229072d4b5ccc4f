import { int64, list, string, struct, use, type Fields } from '../../schema/dsl.ts';
import { Condition, LabelSelector } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import { conditionList } from '../conditions.ts';
import { matchConditions } from './match-conditions.ts';
import { ruleFields } from './rules.ts';
import { FAILURE_POLICIES, MATCH_POLICIES, REINVOCATION_POLICIES } from './webhook.ts';

const GROUP = 'io.cluster.admissionregistration.v1';

const NamedRule = struct(`${GROUP}.NamedRuleWithOperations`, {
  resourceNames: list(string(), {
    listType: 'atomic',
    description: 'Names of objects; when empty, all objects of the resources.',
  }),
  ...ruleFields,
});

const MatchResources = struct(
  `${GROUP}.MatchResources`,
  {
    namespaceSelector: use(LabelSelector, {
      pointer: true,
      description: 'The namespace of the object must have these labels. Empty matches all.',
    }),
    objectSelector: use(LabelSelector, {
      pointer: true,
      description: 'The object, new or old, must have these labels. Empty matches all.',
    }),
    resourceRules: list(NamedRule, {
      goType: '[]v1.NamedRuleWithOperations',
      listType: 'atomic',
      description: 'Requests that are looked at: those that any of the rules matches.',
    }),
    excludeResourceRules: list(NamedRule, {
      goType: '[]v1.NamedRuleWithOperations',
      listType: 'atomic',
      description: 'Requests that are passed by although they match.',
    }),
    matchPolicy: string({
      pointer: true,
      goType: 'v1.MatchPolicyType',
      enum: MATCH_POLICIES,
      default: 'Equivalent',
      description:
        'Exact: only requests that are literally in the rules. Equivalent: also those through another group or version of a resource.',
    }),
  },
  { mapType: 'atomic', description: 'Which requests are meant.' },
);

const ParamKind = struct(
  `${GROUP}.ParamKind`,
  {
    apiVersion: string({ description: 'The group and version of the kind.' }),
    kind: string({ description: 'The kind of the objects that hold the parameters.' }),
  },
  {
    mapType: 'atomic',
    description: 'The kind of the objects that a policy takes parameters from.',
  },
);

const Variable = struct(
  `${GROUP}.Variable`,
  {
    name: string({ required: true, description: 'A CEL identifier: `variables.<name>`.' }),
    expression: string({ required: true, description: 'What the variable stands for, in CEL.' }),
  },
  { mapType: 'atomic', description: 'A name for an expression that others use.' },
);

const Validation = struct(`${GROUP}.Validation`, {
  expression: string({
    required: true,
    description:
      'A CEL expression with a boolean result; false refuses the request. Bound are `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`.',
  }),
  message: string({ description: 'What is said when it is false; without line breaks.' }),
  reason: string({
    pointer: true,
    goType: 'v1.StatusReason',
    description: 'Forbidden, Invalid or RequestEntityTooLarge; Invalid unless said.',
  }),
  messageExpression: string({
    description:
      'A CEL expression whose result is said instead of the message; the message is kept for when it fails.',
  }),
});

const AuditAnnotation = struct(`${GROUP}.AuditAnnotation`, {
  key: string({
    required: true,
    description: 'The key of the annotation; the name of the policy goes before it.',
  }),
  valueExpression: string({
    required: true,
    description: 'A CEL expression for the value: a text, or null for no annotation.',
  }),
});

const policyFields: Fields = {
  paramKind: use(ParamKind, {
    pointer: true,
    description: 'The kind of parameters; bindings name the objects.',
  }),
  matchConstraints: use(MatchResources, {
    pointer: true,
    description: 'The requests that the policy is about. Required, with rules.',
  }),
  failurePolicy: string({
    pointer: true,
    goType: 'v1.FailurePolicyType',
    enum: FAILURE_POLICIES,
    default: 'Fail',
    description: 'What an error means: Fail refuses the request, Ignore goes on.',
  }),
  matchConditions,
};

const ValidatingSpec = struct(`${GROUP}.ValidatingAdmissionPolicySpec`, {
  ...policyFields,
  variables: list(Variable, {
    goType: '[]v1.Variable',
    listType: 'map',
    listMapKeys: ['name'],
    patchStrategy: 'merge',
    patchMergeKey: 'name',
    description: 'Names for expressions; each may use those before it.',
  }),
  validations: list(Validation, {
    goType: '[]v1.Validation',
    listType: 'atomic',
    description: 'What must be true. Required unless there are audit annotations.',
  }),
  auditAnnotations: list(AuditAnnotation, {
    goType: '[]v1.AuditAnnotation',
    listType: 'atomic',
    description: 'Annotations of the audit event, at most 20.',
  }),
});

const ValidatingStatus = struct(`${GROUP}.ValidatingAdmissionPolicyStatus`, {
  observedGeneration: int64({ description: 'The generation that was looked at.' }),
  typeChecking: use(
    struct(`${GROUP}.TypeChecking`, {
      expressionWarnings: list(
        struct(`${GROUP}.ExpressionWarning`, {
          fieldRef: string({ required: true, description: 'The field with the expression.' }),
          warning: string({ required: true, description: 'What does not fit the types.' }),
        }),
        { listType: 'atomic', description: 'Expressions that do not fit the types they meet.' },
      ),
    }),
    { pointer: true, description: 'What checking the expressions against the types found.' },
  ),
  conditions: conditionList(Condition, 'The state of the policy.'),
});

export const validatingAdmissionPolicySchema = kind(
  `${GROUP}.ValidatingAdmissionPolicy`,
  {
    spec: use(ValidatingSpec, { description: 'What the policy asks for.' }),
    status: use(ValidatingStatus, { description: 'The observed state. Written by the system.' }),
  },
  { description: 'Accepts or refuses requests by expressions, where a binding says so.' },
);

const patchOf = (name: string, description: string): ReturnType<typeof use> =>
  use(struct(`${GROUP}.${name}`, { expression: string({ description }) }), {
    pointer: true,
    description: `Set when patchType is ${name}.`,
  });

const Mutation = struct(`${GROUP}.Mutation`, {
  patchType: string({
    required: true,
    goType: 'v1.PatchType',
    enum: ['ApplyConfiguration', 'JSONPatch'],
    description: 'Which of the two follows.',
  }),
  applyConfiguration: patchOf(
    'ApplyConfiguration',
    'A CEL expression that gives a part of the object, merged as by apply.',
  ),
  jsonPatch: patchOf('JSONPatch', 'A CEL expression that gives a list of JSONPatch operations.'),
});

export const mutatingAdmissionPolicySchema = kind(
  `${GROUP}.MutatingAdmissionPolicy`,
  {
    spec: use(
      struct(`${GROUP}.MutatingAdmissionPolicySpec`, {
        ...policyFields,
        variables: list(Variable, {
          goType: '[]v1.Variable',
          listType: 'atomic',
          description: 'Names for expressions; each may use those before it.',
        }),
        mutations: list(Mutation, {
          goType: '[]v1.Mutation',
          listType: 'atomic',
          description: 'What is changed, in order. Required.',
        }),
        reinvocationPolicy: string({
          goType: 'v1.ReinvocationPolicyType',
          enum: REINVOCATION_POLICIES,
          description:
            'Never: run once for a request at most. IfNeeded: run again when something else changed the object after it. Required.',
        }),
      }),
      { description: 'What the policy changes.' },
    ),
  },
  { description: 'Changes the objects of requests by expressions, where a binding says so.' },
);

const ParamRef = struct(
  `${GROUP}.ParamRef`,
  {
    name: string({ description: 'The name of the object; not together with selector.' }),
    namespace: string({
      description: 'Its namespace; when empty, that of the request, for parameters in namespaces.',
    }),
    selector: use(LabelSelector, {
      pointer: true,
      description: 'Selects the objects by labels; not together with name.',
    }),
    parameterNotFoundAction: string({
      pointer: true,
      goType: 'v1.ParameterNotFoundActionType',
      enum: ['Allow', 'Deny'],
      description: 'What happens when there are none: Allow or Deny. Required.',
    }),
  },
  { mapType: 'atomic', description: 'Names the objects that hold the parameters.' },
);

const bindingFields: Fields = {
  policyName: string({ description: 'The policy. Required.' }),
  paramRef: use(ParamRef, {
    pointer: true,
    description: 'The parameters, for policies that have a paramKind.',
  }),
  matchResources: use(MatchResources, {
    pointer: true,
    description: 'Narrows the requests of the policy further.',
  }),
};

export const validatingAdmissionPolicyBindingSchema = kind(
  `${GROUP}.ValidatingAdmissionPolicyBinding`,
  {
    spec: use(
      struct(`${GROUP}.ValidatingAdmissionPolicyBindingSpec`, {
        ...bindingFields,
        validationActions: list(string({ goType: 'v1.ValidationAction' }), {
          listType: 'set',
          description:
            'What a failed validation leads to: Deny, Warn, Audit; Deny and Warn not together. Required.',
        }),
      }),
      { description: 'Where the policy applies, and how.' },
    ),
  },
  { description: 'Puts a ValidatingAdmissionPolicy into force.' },
);

export const mutatingAdmissionPolicyBindingSchema = kind(
  `${GROUP}.MutatingAdmissionPolicyBinding`,
  {
    spec: use(struct(`${GROUP}.MutatingAdmissionPolicyBindingSpec`, bindingFields), {
      description: 'Where the policy applies.',
    }),
  },
  { description: 'Puts a MutatingAdmissionPolicy into force.' },
);
