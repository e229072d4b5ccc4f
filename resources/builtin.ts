import type { KubernetesNames } from '../api/naming.ts';
import { RuleChecker } from '../schema/rules/checker.ts';
import { mutatingAdmissionPolicyDefinition } from './admissionregistration/mutating-policy.ts';
import {
  mutatingAdmissionPolicyBindingDefinition,
  validatingAdmissionPolicyBindingDefinition,
} from './admissionregistration/policy-bindings.ts';
import { validatingAdmissionPolicyDefinition } from './admissionregistration/validating-policy.ts';
import {
  mutatingWebhookConfigurationDefinition,
  validatingWebhookConfigurationDefinition,
} from './admissionregistration/webhook-configurations.ts';
import { customResourceDefinitionDefinition } from './apiextensions/crd.ts';
import type { RuleCompilerFactory } from './apiextensions/crd-versions.ts';
import { certificateSigningRequestDefinition } from './certificates/certificate-signing-request.ts';
import { apiServiceDefinition } from './apiregistration/api-service.ts';
import { leaseCandidateDefinition } from './coordination/lease-candidate.ts';
import { leaseDefinition } from './coordination/lease.ts';
import { componentStatusDefinition } from './core/component-status.ts';
import { configMapDefinition } from './core/config-map.ts';
import { namespaceDefinition, twiceLabelledNamespaceDefinition } from './core/namespace.ts';
import { nodeDefinition } from './core/node.ts';
import { resourceQuotaDefinition } from './core/resource-quota.ts';
import { secretDefinition } from './core/secret.ts';
import { serviceAccountDefinition } from './core/service-account.ts';
import type { ResourceDefinition } from './definition.ts';
import { eventDefinition } from './events/event.ts';
import { expressionChecker } from './expression-checker.ts';
import type { ExpressionChecker } from './expressions.ts';
import type { FeatureGates } from './feature-gates.ts';
import { ipAddressDefinition } from './networking/ip-address.ts';
import { serviceCidrDefinition } from './networking/service-cidr.ts';
import { runtimeClassDefinition } from './node/runtime-class.ts';
import { clusterRoleBindingDefinition, roleBindingDefinition } from './rbac/bindings.ts';
import { clusterRoleDefinition, roleDefinition } from './rbac/roles.ts';
import { deviceClassDefinition } from './resource/device-class.ts';

interface BuiltinOptions {
  readonly checker?: ExpressionChecker;
  readonly rules?: RuleCompilerFactory;
  /** How long Events live; absent: an hour. */
  readonly eventTtlSeconds?: number;
  /** Definitions may bring kinds of groups of Kubernetes; absent: they may not. */
  readonly allowBuiltinGroups?: boolean;
  /** Absent: off. */
  readonly kubernetesNames?: KubernetesNames;
}

/** Every kind that the server brings along, as the feature gates have it. */
export function builtinDefinitions(
  gates: FeatureGates,
  {
    checker = expressionChecker(gates),
    rules = (options) => new RuleChecker(options),
    eventTtlSeconds,
    allowBuiltinGroups = false,
    kubernetesNames = 'off',
  }: BuiltinOptions = {},
): readonly ResourceDefinition[] {
  return [
    componentStatusDefinition,
    configMapDefinition,
    kubernetesNames === 'off' ? namespaceDefinition : twiceLabelledNamespaceDefinition,
    nodeDefinition,
    resourceQuotaDefinition,
    secretDefinition,
    serviceAccountDefinition,
    mutatingAdmissionPolicyBindingDefinition,
    mutatingAdmissionPolicyDefinition(checker),
    mutatingWebhookConfigurationDefinition(checker),
    validatingAdmissionPolicyBindingDefinition,
    validatingAdmissionPolicyDefinition(checker),
    validatingWebhookConfigurationDefinition(checker),
    customResourceDefinitionDefinition({
      compiler: rules,
      allowsBuiltinGroups: allowBuiltinGroups,
    }),
    apiServiceDefinition,
    certificateSigningRequestDefinition,
    leaseCandidateDefinition,
    leaseDefinition(gates),
    eventDefinition(eventTtlSeconds),
    ipAddressDefinition,
    serviceCidrDefinition,
    runtimeClassDefinition(gates),
    clusterRoleBindingDefinition,
    clusterRoleDefinition,
    roleBindingDefinition,
    roleDefinition,
    ...(gates.DynamicResourceAllocation ? [deviceClassDefinition(gates, checker)] : []),
  ];
}
