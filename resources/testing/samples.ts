import type { JsonObject } from '../../api/json.ts';

const RULE: JsonObject = {
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['gadgets', 'gadgets/status'],
};
const WEBHOOK: JsonObject = {
  name: 'check.example.com',
  clientConfig: { service: { namespace: 'team', name: 'hook', path: '/check', port: 8443 } },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  matchConditions: [{ name: 'mine', expression: 'true' }],
  namespaceSelector: { matchLabels: { team: 'a' } },
  timeoutSeconds: 5,
};
const CONSTRAINTS: JsonObject = {
  resourceRules: [RULE],
  objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
};
const PARAM_KIND: JsonObject = { apiVersion: 'example.com/v1', kind: 'Limit' };
const BINDING: JsonObject = {
  policyName: 'policy',
  paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' },
  matchResources: CONSTRAINTS,
};
const CONDITION: JsonObject = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '1999-01-02T03:04:05Z',
  reason: 'Done',
  message: 'all is well',
};
const roleRef = (kind: string): JsonObject => ({
  apiGroup: 'rbac.authorization.cluster.io',
  kind,
  name: 'reader',
});
const SUBJECTS: JsonObject[] = [
  { kind: 'User', apiGroup: 'rbac.authorization.cluster.io', name: 'jane' },
  { kind: 'ServiceAccount', namespace: 'team', name: 'builder' },
];
const READ: JsonObject = { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] };

/** A valid object of every built-in kind with most of its fields; only what the kind itself has. */
export const SAMPLES: Readonly<Record<string, JsonObject>> = {
  APIService: {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1500,
      versionPriority: 20,
      service: { namespace: 'team', name: 'metrics' },
      caBundle: 'aGk=',
    },
    status: { conditions: [{ ...CONDITION, type: 'Available' }] },
  },
  CertificateSigningRequest: {
    spec: {
      request:
        'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYk1JR0NBZ0VBTUNBeER6QU5CZ05WQkFvTUJuUmxZVzB0WVRFTk1Bc0dBMVVFQXd3RVlXNXVZVEJaTUJNRwpCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBMElBQkRGYk02dkd5LzdmZkNDa3hQQlhRb3J0TkhrMitMR1I4Qyt0CmRxY2s3NFVodlpieXI1cmpSM3pyeFk4R0pLeVV5NGNOSkltaDNlMGNtS1E2Q2FwMDU1bWdBREFLQmdncWhrak8KUFFRREFnTklBREJGQWlBRjU1ZGdnRFBxTmJaZFhMa2R4WnB1bCtKZ1BrYjYzbnlhdlZtVDBSUzRpQUloQUxWVwpUMHRCRXg1REd2U0ppa2VZM1lrbUtqckNrVnlHWmFSWkZKWGs1NHZSCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
      signerName: 'example.com/signer',
      usages: ['client auth'],
      expirationSeconds: 3600,
    },
  },
  ClusterRole: {
    rules: [READ, { nonResourceURLs: ['/healthz'], verbs: ['get'] }],
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  },
  ClusterRoleBinding: { subjects: SUBJECTS, roleRef: roleRef('ClusterRole') },
  ComponentStatus: { conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
  ConfigMap: {
    data: { 'app.conf': 'a = 1\n', level: 'debug' },
    binaryData: { logo: 'aGk=' },
    immutable: true,
  },
  DeviceClass: {
    spec: {
      selectors: [{ cel: { expression: 'true' } }],
      config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 1 } } }],
      extendedResourceName: 'example.com/gpu',
    },
  },
  Event: {
    metadata: { namespace: 'team' },
    eventTime: '1999-01-02T03:04:05.000006Z',
    type: 'Warning',
    reason: 'Bound',
    action: 'Bind',
    regarding: { kind: 'Lease', namespace: 'team', name: 'x' },
    related: { kind: 'Node', name: 'n', apiVersion: 'v1' },
    note: 'bound to n',
    reportingController: 'example.com/binder',
    reportingInstance: 'binder-0',
    series: { count: 3, lastObservedTime: '1999-01-02T03:05:05.500000Z' },
  },
  IPAddress: {
    metadata: { name: '10.0.0.1' },
    spec: { parentRef: { group: 'g', resource: 'services', namespace: 'team', name: 'x' } },
  },
  Lease: {
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '1999-01-02T03:04:05.000000Z',
      renewTime: '1999-01-02T03:04:15.000000Z',
      leaseTransitions: 1,
      strategy: 'OldestEmulationVersion',
    },
  },
  LeaseCandidate: {
    spec: {
      leaseName: 'lock',
      binaryVersion: '1.36.0',
      emulationVersion: '1.35.0',
      strategy: 'example.com/rotation',
      pingTime: '1999-01-02T03:04:05.000006Z',
    },
  },
  MutatingAdmissionPolicy: {
    spec: {
      paramKind: PARAM_KIND,
      matchConstraints: CONSTRAINTS,
      matchConditions: [{ name: 'mine', expression: 'true' }],
      variables: [{ name: 'a', expression: '1' }],
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'variables.a' } },
        { patchType: 'JSONPatch', jsonPatch: { expression: 'jsonPatch-only' } },
      ],
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
    },
  },
  MutatingAdmissionPolicyBinding: { spec: BINDING },
  MutatingWebhookConfiguration: { webhooks: [{ ...WEBHOOK, reinvocationPolicy: 'IfNeeded' }] },
  Namespace: {
    metadata: { name: 'team', labels: { a: 'b' }, finalizers: ['example.com/f'] },
    spec: { finalizers: ['cluster'] },
    status: { phase: 'Active', conditions: [CONDITION] },
  },
  Node: {
    spec: {
      podCIDR: '10.244.3.0/24',
      podCIDRs: ['10.244.3.0/24', 'fd00:10:244:3::/64'],
      providerID: 'example://i-1',
      unschedulable: true,
      taints: [{ key: 'a', value: 'b', effect: 'NoExecute', timeAdded: '1999-01-02T03:04:05Z' }],
    },
    status: {
      capacity: { cpu: '8', memory: '16393244Ki', 'example.com/gpu': '2' },
      allocatable: { cpu: '7800m' },
      phase: 'Running',
      conditions: [CONDITION],
      addresses: [{ type: 'InternalIP', address: '10.0.0.5' }],
      nodeInfo: { machineID: 'm', swap: { capacity: 1 } },
      images: [{ names: ['registry.example.com/app:v1'], sizeBytes: 5 }],
      runtimeHandlers: [{ name: 'gvisor', features: { userNamespaces: true } }],
    },
  },
  Role: { rules: [READ] },
  RoleBinding: { subjects: SUBJECTS, roleRef: roleRef('Role') },
  RuntimeClass: {
    handler: 'kata',
    overhead: { podFixed: { cpu: '250m' } },
    scheduling: {
      nodeSelector: { runtime: 'kata' },
      tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    },
  },
  ResourceQuota: {
    spec: {
      hard: { 'count/configmaps': '10', 'requests.cpu': '1500m' },
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
      },
    },
  },
  Secret: {
    type: 'kubernetes.io/basic-auth',
    data: { username: 'amFuZQ==', password: 'aGk=' },
    immutable: false,
  },
  ServiceAccount: {
    secrets: [{ name: 'token', kind: 'Secret' }],
    imagePullSecrets: [{ name: 'registry' }],
    automountServiceAccountToken: false,
  },
  ServiceCIDR: {
    spec: { cidrs: ['10.0.0.0/16', 'fd00::/64'] },
    status: { conditions: [CONDITION] },
  },
  ValidatingAdmissionPolicy: {
    spec: {
      paramKind: PARAM_KIND,
      matchConstraints: CONSTRAINTS,
      variables: [{ name: 'a', expression: 'params' }],
      validations: [{ expression: 'variables.a', message: 'no', reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'a', valueExpression: 'auditAnnotation-only' }],
      failurePolicy: 'Ignore',
    },
  },
  ValidatingAdmissionPolicyBinding: {
    spec: { ...BINDING, validationActions: ['Deny', 'Audit'] },
  },
  ValidatingWebhookConfiguration: { webhooks: [WEBHOOK] },
};
