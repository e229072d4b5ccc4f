import { LEASES, type Registrations } from './admission-webhook.ts';

const RULES = [{ ...LEASES, operations: ['*'] }];

/** A policy about Leases, with a binding of the same name; both in force when this returns. */
export async function validatingPolicy(
  registrations: Registrations,
  name: string,
  spec: object,
  binding: object = {},
): Promise<void> {
  await registrations.make('validatingadmissionpolicies', {
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: RULES }, ...spec },
  });
  await registrations.make('validatingadmissionpolicybindings', {
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
}

/** The same for a policy that changes objects. */
export async function mutatingPolicy(
  registrations: Registrations,
  name: string,
  mutations: object[],
  spec: object = {},
  binding: object = {},
): Promise<void> {
  await registrations.make('mutatingadmissionpolicies', {
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [LEASES] },
      reinvocationPolicy: 'Never',
      mutations,
      ...spec,
    },
  });
  await registrations.make('mutatingadmissionpolicybindings', {
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, ...binding },
  });
}

export const configuration = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
export const jsonPatch = (expression: string): object => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression },
});
