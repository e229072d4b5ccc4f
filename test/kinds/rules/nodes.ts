import type { JsonObject } from '../../../api/json.ts';
import type { Rules } from './rule.ts';

const CONFIG_MAP = { namespace: 'a', name: 'b', nodeAgentConfigKey: 'c' };
const taint = (change: JsonObject): JsonObject => ({
  spec: { taints: [{ key: 'a', value: 'b', effect: 'NoExecute', ...change }] },
});
const toleration = (change: JsonObject): JsonObject => ({
  scheduling: { tolerations: [{ key: 'a', ...change }] },
});

/** Document 2, section 2. */
export const NODE_RULES = {
  Node: [
    {
      rule: 'entry 0 of podCIDRs equals podCIDR',
      with: { spec: { podCIDR: '10.9.0.0/24' } },
      refused: 'spec.podCIDRs[0]',
    },
    {
      rule: 'at most one of podCIDRs for a family',
      with: { spec: { podCIDRs: ['10.244.3.0/24', '10.245.0.0/24'] } },
      refused: 'spec.podCIDRs',
    },
    {
      rule: 'podCIDR is entry 0 of podCIDRs where there are none',
      with: { spec: { podCIDR: '10.9.0.0/24', podCIDRs: [] } },
      answers: [['spec', 'podCIDRs'], ['10.9.0.0/24']],
    },
    {
      rule: 'podCIDRs are ranges',
      with: { spec: { podCIDR: 'x', podCIDRs: ['x'] } },
      refused: 'spec.podCIDRs[0]',
    },
    {
      rule: 'podCIDRs stay when they are assigned',
      with: { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } },
      update: 'object',
      refused: 'spec.podCIDRs',
    },
    {
      rule: 'providerID stays when it is assigned',
      with: { spec: { providerID: 'example://other' } },
      update: 'object',
      refused: 'spec.providerID',
    },
    { rule: 'a taint has a key', with: taint({ key: '' }), refused: 'spec.taints[0].key' },
    {
      rule: 'a taint has an effect',
      with: taint({ effect: '' }),
      refused: 'spec.taints[0].effect',
    },
    {
      rule: 'the effect of a taint is one of three',
      with: taint({ effect: 'Sometimes' }),
      refused: 'spec.taints[0].effect',
    },
    {
      rule: 'the value of a taint is that of a label',
      with: taint({ value: 'a b' }),
      refused: 'spec.taints[0].value',
    },
    {
      rule: 'taints are unique by key and effect',
      with: {
        spec: {
          taints: [
            { key: 'a', effect: 'NoExecute' },
            { key: 'a', effect: 'NoExecute' },
          ],
        },
      },
      refused: 'spec.taints[1]',
    },
    {
      rule: 'a configuration names its ConfigMap',
      with: { spec: { configSource: {} } },
      update: 'object',
      refused: 'spec.configSource',
    },
    {
      rule: 'uid of the ConfigMap is forbidden in the spec',
      with: { spec: { configSource: { configMap: { ...CONFIG_MAP, uid: 'u' } } } },
      update: 'object',
      refused: 'spec.configSource.configMap.uid',
    },
    {
      rule: 'resourceVersion of the ConfigMap is forbidden in the spec',
      with: { spec: { configSource: { configMap: { ...CONFIG_MAP, resourceVersion: '1' } } } },
      update: 'object',
      refused: 'spec.configSource.configMap.resourceVersion',
    },
    {
      rule: 'the ConfigMap has a name',
      with: { spec: { configSource: { configMap: { ...CONFIG_MAP, name: '' } } } },
      update: 'object',
      refused: 'spec.configSource.configMap.name',
    },
    {
      rule: 'uid of the ConfigMap is required in the status',
      with: {
        status: { config: { active: { configMap: { ...CONFIG_MAP, resourceVersion: '1' } } } },
      },
      update: 'status',
      refused: 'status.config.active.configMap.uid',
    },
    {
      rule: 'resourceVersion of the ConfigMap is required in the status',
      with: { status: { config: { assigned: { configMap: { ...CONFIG_MAP, uid: 'u' } } } } },
      update: 'status',
      refused: 'status.config.assigned.configMap.resourceVersion',
    },
    {
      rule: 'quantities are quantities',
      with: { status: { capacity: { cpu: 'many' } } },
      unreadable: /quantit/i,
    },
    {
      rule: 'allocatable is the capacity by default',
      with: { status: { allocatable: null } },
      answers: [['status', 'allocatable', 'memory'], '16393244Ki'],
    },
  ],
  RuntimeClass: [
    { rule: 'handler is required', with: { handler: '' }, refused: 'handler' },
    { rule: 'handler is a label of RFC 1123', with: { handler: 'a_b' }, refused: 'handler' },
    { rule: 'handler is lowercase', with: { handler: 'Kata' }, refused: 'handler' },
    {
      rule: 'handler is immutable',
      with: { handler: 'other' },
      update: 'object',
      refused: 'handler',
    },
    {
      rule: 'an overhead is not negative',
      with: { overhead: { podFixed: { cpu: '-1' } } },
      refused: 'overhead.podFixed[cpu]',
    },
    {
      rule: 'the selector of nodes has labels',
      with: { scheduling: { nodeSelector: { 'a b': 'c' } } },
      refused: 'scheduling.nodeSelector',
    },
    {
      rule: 'an empty key only with Exists',
      with: toleration({ key: '', operator: 'Equal' }),
      refused: 'scheduling.tolerations[0].operator',
    },
    {
      rule: 'no value with Exists',
      with: toleration({ operator: 'Exists', value: 'x' }),
      refused: 'scheduling.tolerations[0].value',
    },
    {
      rule: 'the operator is one of four',
      with: toleration({ operator: 'Near' }),
      refused: 'scheduling.tolerations[0].operator',
    },
    {
      rule: 'the effect is one of three',
      with: toleration({ operator: 'Exists', effect: 'Sometimes' }),
      refused: 'scheduling.tolerations[0].effect',
    },
    {
      rule: 'tolerationSeconds is ignored but for NoExecute',
      with: toleration({ operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 }),
      answers: [['scheduling', 'tolerations', 0, 'tolerationSeconds'], 1],
    },
    {
      rule: 'Lt and Gt compare numbers',
      with: toleration({ operator: 'Lt', value: 'x' }),
      refused: 'scheduling.tolerations[0].value',
    },
  ],
} satisfies Rules;
