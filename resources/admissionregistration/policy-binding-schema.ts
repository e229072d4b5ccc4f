import { list, string, struct, use } from '../../schema/dsl.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { MatchResources } from './match-resources.ts';

const GROUP = 'io.cluster.admissionregistration.v1';

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
      enum: ['Allow', 'Deny'],
      description: 'What happens when there are none: Allow or Deny. Required.',
    }),
  },
  {
    mapType: 'atomic',
    description: 'Names the objects that hold the parameters.',
    numbers: { name: 1, namespace: 2, selector: 3, parameterNotFoundAction: 4 },
  },
);

export type ParamRefValue = ValueOf<typeof ParamRef>;

const bindingFields = {
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
      struct(
        `${GROUP}.ValidatingAdmissionPolicyBindingSpec`,
        {
          ...bindingFields,
          validationActions: list(string(), {
            listType: 'set',
            description:
              'What a failed validation leads to: Deny, Warn, Audit; Deny and Warn not together. Required.',
          }),
        },
        { numbers: { policyName: 1, paramRef: 2, matchResources: 3, validationActions: 4 } },
      ),
      { description: 'Where the policy applies, and how.' },
    ),
  },
  { description: 'Puts a ValidatingAdmissionPolicy into force.', numbers: { spec: 2 } },
);

/** A binding of either kind: those of validating policies have one field more, which may be absent. */
export type PolicyBinding = ValueOf<typeof validatingAdmissionPolicyBindingSchema>;

export const mutatingAdmissionPolicyBindingSchema = kind(
  `${GROUP}.MutatingAdmissionPolicyBinding`,
  {
    spec: use(
      struct(`${GROUP}.MutatingAdmissionPolicyBindingSpec`, bindingFields, {
        numbers: { policyName: 1, paramRef: 2, matchResources: 3 },
      }),
      {
        description: 'Where the policy applies.',
      },
    ),
  },
  { description: 'Puts a MutatingAdmissionPolicy into force.', numbers: { spec: 2 } },
);
