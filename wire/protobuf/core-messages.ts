import { message } from './message.ts';
import { kind, ObjectMeta } from './meta-messages.ts';

const NamespaceCondition = message({
  type: [1, 'string'],
  status: [2, 'string'],
  lastTransitionTime: [4, 'time'],
  reason: [5, 'string'],
  message: [6, 'string'],
});

export const Namespace = kind(
  message({ finalizers: [1, 'string', 'many'] }),
  message({ phase: [1, 'string'], conditions: [2, NamespaceCondition, 'many'] }),
);

const NodeConfigSource = message({
  configMap: [
    2,
    message({
      namespace: [1, 'string'],
      name: [2, 'string'],
      uid: [3, 'string'],
      resourceVersion: [4, 'string'],
      nodeAgentConfigKey: [5, 'string'],
    }),
  ],
});

const Taint = message({
  key: [1, 'string'],
  value: [2, 'string'],
  effect: [3, 'string'],
  timeAdded: [4, 'time'],
});

const NodeSpec = message({
  podCIDR: [1, 'string'],
  podCIDRs: [7, 'string', 'many'],
  providerID: [3, 'string'],
  unschedulable: [4, 'bool'],
  taints: [5, Taint, 'many'],
  configSource: [6, NodeConfigSource],
  externalID: [2, 'string'],
});

const NodeCondition = message({
  type: [1, 'string'],
  status: [2, 'string'],
  lastHeartbeatTime: [3, 'time'],
  lastTransitionTime: [4, 'time'],
  reason: [5, 'string'],
  message: [6, 'string'],
});

const NodeSystemInfo = message({
  machineID: [1, 'string'],
  systemUUID: [2, 'string'],
  bootID: [3, 'string'],
  kernelVersion: [4, 'string'],
  osImage: [5, 'string'],
  containerRuntimeVersion: [6, 'string'],
  nodeAgentVersion: [7, 'string'],
  proxyVersion: [8, 'string'],
  operatingSystem: [9, 'string'],
  architecture: [10, 'string'],
  swap: [11, message({ capacity: [1, 'int64'] })],
});

const NodeRuntimeHandler = message({
  name: [1, 'string'],
  features: [2, message({ recursiveReadOnlyMounts: [1, 'bool'], userNamespaces: [2, 'bool'] })],
});

const NodeStatus = message({
  capacity: [1, 'quantity', 'map'],
  allocatable: [2, 'quantity', 'map'],
  phase: [3, 'string'],
  conditions: [4, NodeCondition, 'many'],
  addresses: [5, message({ type: [1, 'string'], address: [2, 'string'] }), 'many'],
  daemonEndpoints: [6, message({ nodeAgentEndpoint: [1, message({ Port: [1, 'int32'] })] })],
  nodeInfo: [7, NodeSystemInfo],
  images: [8, message({ names: [1, 'string', 'many'], sizeBytes: [2, 'int64'] }), 'many'],
  volumesInUse: [9, 'string', 'many'],
  volumesAttached: [10, message({ name: [1, 'string'], devicePath: [2, 'string'] }), 'many'],
  config: [
    11,
    message({
      assigned: [1, NodeConfigSource],
      active: [2, NodeConfigSource],
      lastKnownGood: [3, NodeConfigSource],
      error: [4, 'string'],
    }),
  ],
  runtimeHandlers: [12, NodeRuntimeHandler, 'many'],
  features: [13, message({ supplementalGroupsPolicy: [1, 'bool'] })],
  declaredFeatures: [14, 'string', 'many'],
});

export const Node = kind(NodeSpec, NodeStatus);

export const ObjectReference = message({
  kind: [1, 'string'],
  namespace: [2, 'string'],
  name: [3, 'string'],
  uid: [4, 'string'],
  apiVersion: [5, 'string'],
  resourceVersion: [6, 'string'],
  fieldPath: [7, 'string'],
});

export const EventSource = message({ component: [1, 'string'], host: [2, 'string'] });

export const EventSeries = message({ count: [1, 'int32'], lastObservedTime: [2, 'microTime'] });

/** The Event of the core group. */
export const CoreEvent = message({
  metadata: [1, ObjectMeta],
  involvedObject: [2, ObjectReference],
  reason: [3, 'string'],
  message: [4, 'string'],
  source: [5, EventSource],
  firstTimestamp: [6, 'time'],
  lastTimestamp: [7, 'time'],
  count: [8, 'int32'],
  type: [9, 'string'],
  eventTime: [10, 'microTime'],
  series: [11, EventSeries],
  action: [12, 'string'],
  related: [13, ObjectReference],
  reportingComponent: [14, 'string'],
  reportingInstance: [15, 'string'],
});
