import { A_NAME_OF, type Rules } from './rule.ts';

const SERVICE = { namespace: 'team', name: 'metrics' };
const condition = (change: object): object => ({
  status: {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Done',
        message: '',
        lastTransitionTime: '1999-01-02T03:04:05Z',
        ...change,
      },
    ],
  },
});

/** Document 1, section 2. */
export const CORE_RULES = {
  APIService: [
    { rule: 'the name is <version>.<group>', with: {}, name: 'other', refused: 'metadata.name' },
    {
      rule: 'which no generated name is',
      with: { metadata: { generateName: 'v1-' } },
      refused: 'metadata.generateName',
    },
    {
      rule: 'groupPriorityMinimum is required',
      with: { spec: { groupPriorityMinimum: null } },
      refused: 'spec.groupPriorityMinimum',
    },
    {
      rule: 'versionPriority is greater than zero',
      with: { spec: { versionPriority: 0 } },
      refused: 'spec.versionPriority',
    },
    {
      rule: 'caBundle is bytes',
      with: { spec: { caBundle: '-----BEGIN' } },
      unreadable: /base64/,
    },
    {
      rule: 'verification is disabled or has a bundle, not both',
      with: { spec: { insecureSkipTLSVerify: true } },
      refused: 'spec.insecureSkipTLSVerify',
    },
    {
      rule: 'a service has a name',
      with: { spec: { service: { name: null } } },
      refused: 'spec.service.name',
    },
    {
      rule: 'a service has a namespace',
      with: { spec: { service: { namespace: null } } },
      refused: 'spec.service.namespace',
    },
    {
      rule: 'the port is 1 at least',
      with: { spec: { service: { ...SERVICE, port: 0 } } },
      refused: 'spec.service.port',
    },
    {
      rule: 'the port is 65535 at most',
      with: { spec: { service: { ...SERVICE, port: 65536 } } },
      refused: 'spec.service.port',
    },
    {
      rule: 'the port is 443 by default',
      with: { spec: { service: SERVICE } },
      answers: [['spec', 'service', 'port'], 443],
    },
    {
      rule: 'without a service the version is handled locally, with nothing about TLS',
      with: { spec: { service: null } },
      refused: 'spec.caBundle',
    },
  ],
  Event: [
    { rule: 'eventTime is required', with: { eventTime: null }, refused: 'eventTime' },
    { rule: 'action is not empty', with: { action: '' }, refused: 'action' },
    {
      rule: 'action has at most 128 characters',
      with: { action: A_NAME_OF(129) },
      refused: 'action',
    },
    { rule: 'reason is not empty', with: { reason: '' }, refused: 'reason' },
    {
      rule: 'reason has at most 128 characters',
      with: { reason: A_NAME_OF(129) },
      refused: 'reason',
    },
    {
      rule: 'reportingController is not empty',
      with: { reportingController: '' },
      refused: 'reportingController',
    },
    {
      rule: 'reportingInstance is not empty',
      with: { reportingInstance: '' },
      refused: 'reportingInstance',
    },
    {
      rule: 'reportingInstance has at most 128 characters',
      with: { reportingInstance: A_NAME_OF(129) },
      refused: 'reportingInstance',
    },
    { rule: 'note has at most 1 kB', with: { note: A_NAME_OF(1025) }, refused: 'note' },
    { rule: 'type is Normal or Warning', with: { type: 'Other' }, refused: 'type' },
    {
      rule: 'a series counts two occurrences at least',
      with: { series: { count: 1 } },
      refused: 'series.count',
    },
    {
      rule: 'a series has its last observation',
      with: { series: { lastObservedTime: null } },
      refused: 'series.lastObservedTime',
    },
    {
      rule: 'the fields of the core type are for the core type',
      with: { deprecatedCount: 1 },
      refused: 'deprecatedCount',
    },
    {
      rule: 'an Event is not changed but for its series',
      with: { note: 'changed' },
      update: 'object',
      refused: 'note',
    },
  ],
  IPAddress: [
    {
      rule: 'the name is canonical: no leading zeros',
      with: {},
      name: '010.0.0.1',
      refused: 'metadata.name',
    },
    {
      rule: 'the name is canonical: compressed',
      with: {},
      name: 'fd00:0:0:0:0:0:0:1',
      refused: 'metadata.name',
    },
    { rule: 'the name is an address', with: {}, name: 'sample', refused: 'metadata.name' },
    {
      rule: 'a parent is required',
      with: { spec: { parentRef: null } },
      refused: 'spec.parentRef',
    },
    {
      rule: 'a parent has a name',
      with: { spec: { parentRef: { name: '' } } },
      refused: 'spec.parentRef.name',
    },
    {
      rule: 'a parent has a resource',
      with: { spec: { parentRef: { resource: '' } } },
      refused: 'spec.parentRef.resource',
    },
  ],
  Lease: [
    {
      rule: 'leaseDurationSeconds is above zero',
      with: { spec: { leaseDurationSeconds: 0 } },
      refused: 'spec.leaseDurationSeconds',
    },
    {
      rule: 'leaseTransitions is not negative',
      with: { spec: { leaseTransitions: -1 } },
      refused: 'spec.leaseTransitions',
    },
    {
      rule: 'preferredHolder only with a strategy',
      with: { spec: { strategy: null, preferredHolder: 'b' } },
      refused: 'spec.preferredHolder',
    },
    {
      rule: 'a strategy is known or has a domain',
      with: { spec: { strategy: 'Unheard' } },
      refused: 'spec.strategy',
    },
    {
      rule: 'renewTime is a MicroTime',
      with: { spec: { renewTime: 'noon' } },
      unreadable: /renewTime|noon/,
    },
  ],
  LeaseCandidate: [
    {
      rule: 'binaryVersion is required',
      with: { spec: { binaryVersion: '' } },
      refused: 'spec.binaryVersion',
    },
    {
      rule: 'binaryVersion has no v',
      with: { spec: { binaryVersion: 'v1.36.0' } },
      refused: 'spec.binaryVersion',
    },
    {
      rule: 'leaseName is required',
      with: { spec: { leaseName: '' } },
      refused: 'spec.leaseName',
    },
    {
      rule: 'leaseName is immutable',
      with: { spec: { leaseName: 'other' } },
      update: 'object',
      refused: 'spec.leaseName',
    },
    {
      rule: 'strategy is required',
      with: { spec: { strategy: '' } },
      refused: 'spec.strategy',
    },
    {
      rule: 'emulationVersion is more than zero where it is needed',
      with: { spec: { strategy: 'OldestEmulationVersion', emulationVersion: '0.0.0' } },
      refused: 'spec.emulationVersion',
    },
    {
      rule: 'emulationVersion is not above binaryVersion',
      with: { spec: { emulationVersion: '1.37.0' } },
      refused: 'spec.binaryVersion',
    },
    {
      rule: 'emulationVersion is a version',
      with: { spec: { emulationVersion: 'new' } },
      refused: 'spec.emulationVersion',
    },
    {
      rule: 'OldestEmulationVersion needs an emulationVersion',
      with: { spec: { strategy: 'OldestEmulationVersion', emulationVersion: null } },
      refused: 'spec.emulationVersion',
    },
  ],
  Namespace: [
    { rule: 'the name is a label', with: {}, name: 'Not_A_Label', refused: 'metadata.name' },
    {
      rule: 'phase is Active from the start',
      with: { status: null },
      answers: [['status', 'phase'], 'Active'],
    },
    {
      rule: 'phase is Active or Terminating, and Terminating while it is deleted',
      with: { status: { phase: 'Terminating' } },
      update: 'status',
      refused: 'status.phase',
    },
  ],
  ServiceCIDR: [
    { rule: 'cidrs are required', with: { spec: { cidrs: [] } }, refused: 'spec.cidrs' },
    {
      rule: 'at most two cidrs',
      with: { spec: { cidrs: ['10.0.0.0/24', 'fd00::/64', '10.1.0.0/24'] } },
      refused: 'spec.cidrs',
    },
    {
      rule: 'one cidr of each family',
      with: { spec: { cidrs: ['10.0.0.0/24', '10.1.0.0/24'] } },
      refused: 'spec.cidrs',
    },
    {
      rule: 'cidrs are in CIDR notation',
      with: { spec: { cidrs: ['10.0.0.0'] } },
      refused: 'spec.cidrs[0]',
    },
    {
      rule: 'cidrs are immutable',
      with: { spec: { cidrs: ['10.9.0.0/24', 'fd00::/64'] } },
      update: 'object',
      refused: 'spec.cidrs[0]',
    },
    {
      rule: 'a condition has a reason',
      with: condition({ reason: '' }) as Record<string, never>,
      update: 'status',
      refused: 'status.conditions[0].reason',
    },
    {
      rule: 'a condition has the time of its last change',
      with: condition({ lastTransitionTime: null }) as Record<string, never>,
      update: 'status',
      refused: 'status.conditions[0].lastTransitionTime',
    },
    {
      rule: 'the status of a condition is True, False or Unknown',
      with: condition({ status: 'Maybe' }) as Record<string, never>,
      update: 'status',
      refused: 'status.conditions[0].status',
    },
  ],
} satisfies Rules;
