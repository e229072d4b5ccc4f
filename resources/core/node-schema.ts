import {
  boolean,
  int64,
  list,
  map,
  quantity,
  string,
  struct,
  time,
  use,
} from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { Typed } from '../../schema/shape.ts';
import type { ResourceList } from '../resource-quantities.ts';
import { conditionFields, conditionList } from '../conditions.ts';
import { Taint } from '../taints.ts';
import { NodeConfigSource, NodeConfigStatus } from './node-config.ts';
import { NodeDaemonEndpoints, NodeSystemInfo } from './node-info.ts';

const NodeSpec = struct(
  'io.cluster.core.v1.NodeSpec',
  {
    podCIDR: string({ description: 'The range of addresses for the Pods of the node.' }),
    podCIDRs: list(string(), {
      listType: 'set',
      patchStrategy: 'merge',
      description:
        'The ranges of addresses for the Pods of the node, at most one of each family. The first is podCIDR.',
    }),
    providerID: string({
      description:
        'The ID that the cloud provider gave the node: `<ProviderName>://<ProviderSpecificNodeID>`. Set once.',
    }),
    unschedulable: boolean({
      description: 'True keeps new Pods away from the node. Nodes are schedulable by default.',
    }),
    taints: list(Taint, {
      listType: 'atomic',
      description: 'The taints of the node; each affects Pods that do not tolerate it.',
    }),
    configSource: use(NodeConfigSource, {
      pointer: true,
      description:
        'Deprecated since release 1.22: the feature is gone. Where the node agent takes its configuration from.',
    }),
    externalID: string({
      description:
        'Deprecated: not set by all node agents, to be removed after release 1.13. An ID of the node.',
    }),
  },
  {
    numbers: {
      podCIDR: 1,
      externalID: 2,
      providerID: 3,
      unschedulable: 4,
      taints: 5,
      configSource: 6,
      podCIDRs: 7,
    },
  },
);

const NodeAddress = struct(
  'io.cluster.core.v1.NodeAddress',
  {
    type: string({
      required: true,
      enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'],
      description: 'What kind of address it is: Hostname, ExternalIP or InternalIP.',
    }),
    address: string({ required: true, description: 'The address.' }),
  },
  { numbers: { type: 1, address: 2 } },
);

const ContainerImage = struct(
  'io.cluster.core.v1.ContainerImage',
  {
    names: list(string(), {
      listType: 'atomic',
      omit: 'never',
      description: 'The names by which the image is known.',
    }),
    sizeBytes: int64({ description: 'The size of the image, in bytes.' }),
  },
  { numbers: { names: 1, sizeBytes: 2 } },
);

const AttachedVolume = struct(
  'io.cluster.core.v1.AttachedVolume',
  {
    name: string({
      required: true,
      description: 'The name of the volume.',
    }),
    devicePath: string({ required: true, description: 'The path of the device.' }),
  },
  { numbers: { name: 1, devicePath: 2 } },
);

const NodeRuntimeHandler = struct(
  'io.cluster.core.v1.NodeRuntimeHandler',
  {
    name: string({
      omit: 'never',
      description: 'The name of the handler; the default handler has an empty one.',
    }),
    features: use(
      struct(
        'io.cluster.core.v1.NodeRuntimeHandlerFeatures',
        {
          recursiveReadOnlyMounts: boolean({
            pointer: true,
            description: 'True when the handler supports RecursiveReadOnlyMounts.',
          }),
          userNamespaces: boolean({
            pointer: true,
            description: 'True when the handler supports UserNamespaces, also for volumes.',
          }),
        },
        { numbers: { recursiveReadOnlyMounts: 1, userNamespaces: 2 } },
      ),
      { pointer: true, description: 'What the handler supports.' },
    ),
  },
  { numbers: { name: 1, features: 2 } },
);

const resources = (description: string): Typed<ResourceList, 'nothing'> =>
  map(quantity(), { description });

const NodeStatus = struct(
  'io.cluster.core.v1.NodeStatus',
  {
    capacity: resources('All resources of the node.'),
    allocatable: resources('The resources that can be scheduled. The capacity unless said.'),
    phase: string({
      enum: ['Pending', 'Running', 'Terminated'],
      description: 'Deprecated, never populated. Pending, Running or Terminated.',
    }),
    conditions: conditionList(
      struct(
        'io.cluster.core.v1.NodeCondition',
        conditionFields({
          lastHeartbeatTime: time({
            description: 'When the condition was last reported.',
          }),
        }),
        {
          numbers: {
            type: 1,
            status: 2,
            lastHeartbeatTime: 3,
            lastTransitionTime: 4,
            reason: 5,
            message: 6,
          },
        },
      ),
      'What has been observed about the node.',
    ),
    addresses: list(NodeAddress, {
      listType: 'map',
      listMapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      description:
        'Addresses by which the node is reached, from the cloud provider where there is one. They may change. The type is not unique, so that a patch should replace the whole list.',
    }),
    daemonEndpoints: use(NodeDaemonEndpoints, {
      description: 'Where the daemons of the node listen.',
    }),
    nodeInfo: use(NodeSystemInfo, {
      description: 'What identifies the node, and what runs on it.',
    }),
    images: list(ContainerImage, {
      listType: 'atomic',
      description: 'Container images on the node.',
    }),
    volumesInUse: list(string(), {
      listType: 'atomic',
      description: 'Attachable volumes that the node has mounted.',
    }),
    volumesAttached: list(AttachedVolume, {
      listType: 'atomic',
      description: 'Volumes that are attached to the node.',
    }),
    config: use(NodeConfigStatus, {
      pointer: true,
      description: 'How the configuration that was assigned dynamically is doing.',
    }),
    runtimeHandlers: list(NodeRuntimeHandler, {
      listType: 'atomic',
      description: 'Runtime handlers that the node has.',
    }),
    features: use(
      struct(
        'io.cluster.core.v1.NodeFeatures',
        {
          supplementalGroupsPolicy: boolean({
            pointer: true,
            description:
              'True when the runtime supports SupplementalGroupsPolicy and ContainerUser.',
          }),
        },
        { numbers: { supplementalGroupsPolicy: 1 } },
      ),
      { pointer: true, description: 'What the container runtime supports.' },
    ),
  },
  {
    numbers: {
      capacity: 1,
      allocatable: 2,
      phase: 3,
      conditions: 4,
      addresses: 5,
      daemonEndpoints: 6,
      nodeInfo: 7,
      images: 8,
      volumesInUse: 9,
      volumesAttached: 10,
      config: 11,
      runtimeHandlers: 12,
      features: 13,
    },
  },
);

/** Source of the fields: specification 2, section 2.1. */
export const nodeSchema = kind(
  'io.cluster.core.v1.Node',
  {
    spec: use(NodeSpec, { description: 'What the node was created with.' }),
    status: use(NodeStatus, {
      description: 'What the node last reported. Filled by the system, read-only for users.',
    }),
  },
  { description: 'A worker node of the cluster.', numbers: { spec: 2, status: 3 } },
);
