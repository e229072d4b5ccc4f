import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, rowOf, servedVersion, testKept, testRefused } from '../testing/harness.ts';
import { nodeDefinition as definition } from './node.ts';

function node(
  spec: JsonObject = {},
  status: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker', ...metadata },
    spec,
    status,
  };
}

/** What is always there, set or not. */
const ALWAYS = {
  daemonEndpoints: { nodeAgentEndpoint: { Port: 0 } },
  nodeInfo: {
    machineID: '',
    bootID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    nodeAgentVersion: '',
    proxyVersion: '',
    operatingSystem: '',
    architecture: '',
  },
};
const served = (spec: JsonObject, status: JsonObject = {}): JsonObject =>
  node(spec, { ...ALWAYS, ...status });

const FULL_STATUS = {
  capacity: { cpu: '8', memory: '16393244Ki', pods: '110', 'example.com/gpu': '2' },
  allocatable: { cpu: '7800m', memory: '16290844Ki', pods: '110' },
  phase: 'Running',
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'AgentReady',
      message: 'posting',
      lastHeartbeatTime: '1999-03-04T05:06:07Z',
      lastTransitionTime: '1999-03-04T05:00:00Z',
    },
  ],
  addresses: [
    { type: 'InternalIP', address: '10.0.0.5' },
    { type: 'Hostname', address: 'worker' },
  ],
  daemonEndpoints: { nodeAgentEndpoint: { Port: 10250 } },
  nodeInfo: {
    ...ALWAYS.nodeInfo,
    machineID: 'm1',
    nodeAgentVersion: 'v1.36.2',
    swap: { capacity: 1073741824 },
  },
  images: [{ names: ['registry.example.com/app:v1'], sizeBytes: 9007199254740993n }],
  volumesInUse: ['example.com/vol-1'],
  volumesAttached: [{ name: 'example.com/vol-1', devicePath: '/dev/sdb' }],
  runtimeHandlers: [
    { name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: false } },
    { name: 'gvisor' },
  ],
  features: { supplementalGroupsPolicy: true },
};
const FULL_SPEC = {
  podCIDR: '10.244.3.0/24',
  podCIDRs: ['10.244.3.0/24', 'fd00:10:244:3::/64'],
  providerID: 'example://zone-1/i-1',
  unschedulable: true,
  taints: [
    { key: 'dedicated', value: 'gpu', effect: 'NoExecute', timeAdded: '1999-01-02T03:04:05Z' },
    { key: 'dedicated', effect: 'NoSchedule' },
  ],
};

const CONFIG_MAP = { namespace: 'team', name: 'agent', nodeAgentConfigKey: 'agent.yaml' };
const IDENTIFIED = { ...CONFIG_MAP, uid: 'u-1', resourceVersion: '7' };
const taint = (fields: JsonObject): JsonObject =>
  node({ taints: [{ key: 'k', effect: 'NoSchedule', ...fields }] });
const configured = (configMap: JsonObject): JsonObject => node({ configSource: { configMap } });

describe('Node', () => {
  testKept(definition, {
    'every field, status too': [node(FULL_SPEC, FULL_STATUS), node(FULL_SPEC, FULL_STATUS)],
    'neither false nor empty': [
      node({ unschedulable: false, taints: [], podCIDRs: null, externalID: '' }),
      served({}),
    ],
    'podCIDR as the first of podCIDRs': [
      node({ podCIDR: '10.0.0.0/24' }),
      served({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }),
    ],
    'the first of podCIDRs as podCIDR': [
      node({ podCIDRs: ['10.0.0.0/24'] }),
      served({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }),
    ],
    'a time without its fraction, in UTC': [
      taint({ timeAdded: '1999-01-02T03:04:05.678+02:00' }),
      served({ taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '1999-01-02T01:04:05Z' }] }),
    ],
    'capacity as allocatable': [
      node({}, { capacity: { cpu: '4' } }),
      served({}, { capacity: { cpu: '4' }, allocatable: { cpu: '4' } }),
    ],
    'allocatable as it is given': [
      node({}, { capacity: { cpu: '4' }, allocatable: { cpu: '3' } }),
      served({}, { capacity: { cpu: '4' }, allocatable: { cpu: '3' } }),
    ],
    'amounts in their canonical form, no finer than a thousandth': [
      node({}, { allocatable: { cpu: '0.0001', memory: '1024Ki', pods: null, 'a.b/c': '1000m' } }),
      served({}, { allocatable: { cpu: '1m', memory: '1Mi', pods: '0', 'a.b/c': '1' } }),
    ],
    'an image without names, however they were written': [
      node({}, { images: [{}, { names: [] }, { names: null, sizeBytes: 5 }] }),
      served({}, { images: [{ names: null }, { names: null }, { names: null, sizeBytes: 5 }] }),
    ],
    'a configuration source': [
      configured(CONFIG_MAP),
      served({ configSource: { configMap: CONFIG_MAP } }),
    ],
    'the status of a configuration': [
      node({}, { config: { active: { configMap: IDENTIFIED }, error: 'none' } }),
      served({}, { config: { active: { configMap: IDENTIFIED }, error: 'none' } }),
    ],
  });

  testRefused(definition, {
    'a taint without key and effect': [
      node({ taints: [{}] }),
      [
        'FieldValueInvalid spec.taints[0].key',
        'FieldValueInvalid spec.taints[0].key',
        'FieldValueRequired spec.taints[0].effect',
      ],
    ],
    'a taint whose key is not a qualified name': [
      taint({ key: 'bad key' }),
      ['FieldValueInvalid spec.taints[0].key'],
    ],
    'a taint whose value is not a label value': [
      taint({ value: 'not a value' }),
      ['FieldValueInvalid spec.taints[0].value'],
    ],
    'an unknown taint effect': [
      taint({ effect: 'noschedule' }),
      ['FieldValueNotSupported spec.taints[0].effect'],
    ],
    'two taints of one key and effect': [
      node({
        taints: [
          { key: 'k', effect: 'NoSchedule', value: '1' },
          { key: 'k', effect: 'NoExecute' },
          { key: 'k', effect: 'NoSchedule', value: '2' },
        ],
      }),
      ['FieldValueDuplicate spec.taints[2]'],
    ],
    'a podCIDR that is none': [
      node({ podCIDR: '10.0.0.0' }),
      ['FieldValueInvalid spec.podCIDRs[0]'],
    ],
    'a podCIDR that is not the first of podCIDRs': [
      node({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.1.0.0/24', 'fd00::/64'] }),
      ['FieldValueInvalid spec.podCIDRs[0]'],
    ],
    'two podCIDRs of one family': [
      node({ podCIDRs: ['10.0.0.0/24', '10.1.0.0/24'] }),
      ['FieldValueInvalid spec.podCIDRs'],
    ],
    'the same podCIDR twice': [
      node({ podCIDRs: ['10.0.0.0/24', '10.0.0.0/24'] }),
      ['FieldValueInvalid spec.podCIDRs', 'FieldValueDuplicate spec.podCIDRs[1]'],
    ],
    'a pair of podCIDRs of which one cannot be read': [
      node({ podCIDRs: ['10.0.0.0/24', 'x'] }),
      [
        'FieldValueInvalid spec.podCIDRs[1]',
        'InternalError spec.podCIDRs',
        'FieldValueInvalid spec.podCIDRs',
      ],
    ],
    'three podCIDRs': [
      node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64', '10.1.0.0/24'] }),
      ['FieldValueInvalid spec.podCIDRs'],
    ],
    'a configuration source without anything': [
      node({ configSource: {} }),
      ['FieldValueInvalid spec.configSource'],
    ],
    'a configuration source without names': [
      configured({}),
      [
        'FieldValueRequired spec.configSource.configMap.namespace',
        'FieldValueRequired spec.configSource.configMap.name',
        'FieldValueRequired spec.configSource.configMap.nodeAgentConfigKey',
      ],
    ],
    'a configuration source with bad names': [
      configured({ namespace: 'A', name: 'B', nodeAgentConfigKey: 'c d' }),
      [
        'FieldValueInvalid spec.configSource.configMap.namespace',
        'FieldValueInvalid spec.configSource.configMap.name',
        'FieldValueInvalid spec.configSource.configMap.nodeAgentConfigKey',
      ],
    ],
    'uid and resourceVersion of a configuration in spec': [
      configured(IDENTIFIED),
      [
        'FieldValueForbidden spec.configSource.configMap.uid',
        'FieldValueForbidden spec.configSource.configMap.resourceVersion',
      ],
    ],
    'a configuration without them in status': [
      node({}, { config: { assigned: { configMap: CONFIG_MAP } } }),
      [
        'FieldValueRequired status.config.assigned.configMap.uid',
        'FieldValueRequired status.config.assigned.configMap.resourceVersion',
      ],
    ],
    'a negative capacity': [
      node({}, { capacity: { cpu: '-1' }, allocatable: { cpu: '1' } }),
      ['FieldValueInvalid status.capacity.cpu'],
    ],
    'a fraction of what is counted': [
      node({}, { allocatable: { pods: '1500m', 'example.com/gpu': '0.5', cpu: '0.5' } }),
      [
        'FieldValueInvalid status.allocatable.pods',
        'FieldValueInvalid status.allocatable.example.com/gpu',
      ],
    ],
    'an unknown phase': [node({}, { phase: 'Dozing' }), ['FieldValueNotSupported status.phase']],
    'a condition whose status is none of the three': [
      node({}, { conditions: [{ type: 'Ready', status: 'yes' }] }),
      ['FieldValueNotSupported status.conditions[0].status'],
    ],
    'a condition without type': [
      node({}, { conditions: [{ status: 'True' }] }),
      ['FieldValueRequired status.conditions[0].type'],
    ],
    'an address of an unknown type, unlike an empty one': [
      node({}, { addresses: [{ type: 'Street', address: 'x' }, { type: 'Hostname' }] }),
      ['FieldValueNotSupported status.addresses[0].type'],
    ],
    'an underscore in its name': [
      node({}, {}, { name: 'worker_1' }),
      ['FieldValueInvalid metadata.name'],
    ],
  });

  it('warns of deprecated fields', () => {
    const warnings = (spec: JsonObject): readonly string[] =>
      created(definition, node(spec)).warnings;
    assert.deepEqual(warnings(FULL_SPEC), []);
    assert.match(warnings({ externalID: 'e' }).join(), /^spec\.externalID: /);
    assert.match(
      warnings({ configSource: { configMap: CONFIG_MAP } }).join(),
      /^spec\.configSource: /,
    );
    assert.match(
      warnings({ podCIDRs: ['FD00::/64'] }).join(),
      /^spec\.podCIDRs\[0\]: .*"fd00::\/64"/,
    );
  });

  it('is selected by whether it takes Pods', () => {
    const select = servedVersion(definition).selectableFields.get('spec.unschedulable');
    assert.equal(select!(created(definition, node(FULL_SPEC)).object), 'true');
    assert.equal(select!(created(definition, node()).object), 'false');
  });

  it('shows its state in tables', () => {
    const labels = { 'node-role.cluster.io/gpu': '', 'cluster.io/role': 'batch', zone: 'a' };
    const { object } = created(definition, node(FULL_SPEC, FULL_STATUS, { labels }));
    assert.deepEqual(rowOf(definition, object), {
      Name: 'worker',
      Status: 'Ready,SchedulingDisabled',
      Roles: 'batch,gpu',
      Age: '<unknown>',
      Version: 'v1.36.2',
      'Internal-IP': '10.0.0.5',
      'External-IP': '<none>',
      'OS-Image': '<unknown>',
      'Kernel-Version': '<unknown>',
      'Container-Runtime': '<unknown>',
    });
    const one = created(definition, node({}, {}, { labels: { 'node-role.cluster.io/gpu': '' } }));
    assert.equal(rowOf(definition, one.object)['Roles'], 'gpu');
    const bare = rowOf(definition, created(definition, node()).object);
    assert.equal(bare['Status'], 'Unknown');
    assert.equal(bare['Roles'], '<none>');
  });
});
