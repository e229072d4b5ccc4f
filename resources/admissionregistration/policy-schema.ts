import { int64, list, string, struct, use } from '../../schema/dsl.ts';
import { Condition } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { StructOf, Typed, ValueOf } from '../../schema/shape.ts';
import { conditionList } from '../conditions.ts';
import { FAILURE_POLICIES, REINVOCATION_POLICIES } from './fixed-words.ts';
import { matchConditions } from './match-conditions.ts';
import { MatchResources } from './match-resources.ts';

const GROUP = 'io.cluster.admissionregistration.v1';

const ParamKind = struct(
  `${GROUP}.ParamKind`,
  {
    apiVersion: string({ description: 'The group and version of the kind.' }),
    kind: string({ description: 'The kind of the objects that hold the parameters.' }),
  },
  {
    mapType: 'atomic',
    description: 'The kind of the objects that a policy takes parameters from.',
    numbers: { apiVersion: 1, kind: 2 },
  },
);

const Variable = struct(
  `${GROUP}.Variable`,
  {
    name: string({ required: true, description: 'A CEL identifier: `variables.<name>`.' }),
    expression: string({ required: true, description: 'What the variable stands for, in CEL.' }),
  },
  {
    mapType: 'atomic',
    description: 'A name for an expression that others use.',
    numbers: { name: 1, expression: 2 },
  },
);

const Validation = struct(
  `${GROUP}.Validation`,
  {
    expression: string({
      required: true,
      description:
        'A CEL expression with a boolean result; false refuses the request. Bound are `object`, `oldObject`, `request`, `params`, `namespaceObject`, `variables` and `authorizer`.',
    }),
    message: string({ description: 'What is said when it is false; without line breaks.' }),
    reason: string({
      pointer: true,
      description: 'Forbidden, Invalid or RequestEntityTooLarge; Invalid unless said.',
    }),
    messageExpression: string({
      description:
        'A CEL expression whose result is said instead of the message; the message is kept for when it fails.',
    }),
  },
  { numbers: { expression: 1, message: 2, reason: 3, messageExpression: 4 } },
);

const AuditAnnotation = struct(
  `${GROUP}.AuditAnnotation`,
  {
    key: string({
      required: true,
      description: 'The key of the annotation; the name of the policy goes before it.',
    }),
    valueExpression: string({
      required: true,
      description: 'A CEL expression for the value: a string, or null for no annotation.',
    }),
  },
  { numbers: { key: 1, valueExpression: 2 } },
);

const policyFields = {
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
    enum: FAILURE_POLICIES,
    default: 'Fail',
    description: 'What an error means: Fail refuses the request, Ignore goes on.',
  }),
  matchConditions,
};

/** What validating and mutating policies have in common. */
export type PolicySpec = StructOf<typeof policyFields> & {
  variables?: ValueOf<typeof Variable>[];
};

const ValidatingSpec = struct(
  `${GROUP}.ValidatingAdmissionPolicySpec`,
  {
    ...policyFields,
    variables: list(Variable, {
      listType: 'map',
      listMapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      description: 'Names for expressions; each may use those before it.',
    }),
    validations: list(Validation, {
      listType: 'atomic',
      description: 'What must be true. Required unless there are audit annotations.',
    }),
    auditAnnotations: list(AuditAnnotation, {
      listType: 'atomic',
      description: 'Annotations of the audit event, at most 20.',
    }),
  },
  {
    numbers: {
      paramKind: 1,
      matchConstraints: 2,
      validations: 3,
      failurePolicy: 4,
      auditAnnotations: 5,
      matchConditions: 6,
      variables: 7,
    },
  },
);

const ExpressionWarningSchema = struct(
  `${GROUP}.ExpressionWarning`,
  {
    fieldRef: string({ required: true, description: 'The field with the expression.' }),
    warning: string({ required: true, description: 'What does not fit the types.' }),
  },
  { numbers: { fieldRef: 2, warning: 3 } },
);

const ValidatingStatus = struct(
  `${GROUP}.ValidatingAdmissionPolicyStatus`,
  {
    observedGeneration: int64({ description: 'The generation that was looked at.' }),
    typeChecking: use(
      struct(
        `${GROUP}.TypeChecking`,
        {
          expressionWarnings: list(ExpressionWarningSchema, {
            listType: 'atomic',
            description: 'Expressions that do not fit the types they meet.',
          }),
        },
        { numbers: { expressionWarnings: 1 } },
      ),
      { pointer: true, description: 'What checking the expressions against the types found.' },
    ),
    conditions: conditionList(Condition, 'The state of the policy.'),
  },
  { numbers: { observedGeneration: 1, typeChecking: 2, conditions: 3 } },
);

export const validatingAdmissionPolicySchema = kind(
  `${GROUP}.ValidatingAdmissionPolicy`,
  {
    spec: use(ValidatingSpec, { description: 'What the policy asks for.' }),
    status: use(ValidatingStatus, { description: 'The observed state. Written by the system.' }),
  },
  {
    description: 'Accepts or refuses requests by expressions, where a binding says so.',
    numbers: { spec: 2, status: 3 },
  },
);

export type ValidationValue = ValueOf<typeof Validation>;
export type AuditAnnotationValue = ValueOf<typeof AuditAnnotation>;
export type ValidatingPolicySpec = ValueOf<typeof ValidatingSpec>;
export type ExpressionWarning = ValueOf<typeof ExpressionWarningSchema>;
export type ValidatingPolicy = ValueOf<typeof validatingAdmissionPolicySchema>;

const patchOf = (
  name: string,
  description: string,
): Typed<{ expression?: string }, 'struct', { readonly pointer: true }> =>
  use(
    struct(
      `${GROUP}.${name}`,
      { expression: string({ description }) },
      { numbers: { expression: 1 } },
    ),
    {
      pointer: true,
      description: `Set when patchType is ${name}.`,
    },
  );

const Mutation = struct(
  `${GROUP}.Mutation`,
  {
    patchType: string({
      required: true,
      enum: ['ApplyConfiguration', 'JSONPatch'],
      description: 'Which of the two follows.',
    }),
    applyConfiguration: patchOf(
      'ApplyConfiguration',
      'A CEL expression that gives a part of the object, merged as by apply.',
    ),
    jsonPatch: patchOf('JSONPatch', 'A CEL expression that gives a list of JSONPatch operations.'),
  },
  { numbers: { patchType: 2, applyConfiguration: 3, jsonPatch: 4 } },
);

export const mutatingAdmissionPolicySchema = kind(
  `${GROUP}.MutatingAdmissionPolicy`,
  {
    spec: use(
      struct(
        `${GROUP}.MutatingAdmissionPolicySpec`,
        {
          ...policyFields,
          variables: list(Variable, {
            listType: 'atomic',
            description: 'Names for expressions; each may use those before it.',
          }),
          mutations: list(Mutation, {
            listType: 'atomic',
            description: 'What is changed, in order. Required.',
          }),
          reinvocationPolicy: string({
            enum: REINVOCATION_POLICIES,
            description:
              'Never: run once for a request at most. IfNeeded: run again when something else changed the object after it. Required.',
          }),
        },
        {
          numbers: {
            paramKind: 1,
            matchConstraints: 2,
            variables: 3,
            mutations: 4,
            failurePolicy: 5,
            matchConditions: 6,
            reinvocationPolicy: 7,
          },
        },
      ),
      { description: 'What the policy changes.' },
    ),
  },
  {
    description: 'Changes the objects of requests by expressions, where a binding says so.',
    numbers: { spec: 2 },
  },
);

export type MutationValue = ValueOf<typeof Mutation>;
export type MutatingPolicy = ValueOf<typeof mutatingAdmissionPolicySchema>;
