import { int32, int64, string, struct, use } from '../../schema/dsl.ts';

const DaemonEndpoint = struct(
  'io.cluster.core.v1.DaemonEndpoint',
  {
    // the capital is part of the API
    Port: int32({ required: true, description: 'The port on which the daemon listens.' }),
  },
  { numbers: { Port: 1 } },
);

export const NodeDaemonEndpoints = struct(
  'io.cluster.core.v1.NodeDaemonEndpoints',
  {
    nodeAgentEndpoint: use(DaemonEndpoint, { description: 'Where the node agent listens.' }),
  },
  { numbers: { nodeAgentEndpoint: 1 } },
);

export const NodeSystemInfo = struct(
  'io.cluster.core.v1.NodeSystemInfo',
  {
    machineID: string({
      required: true,
      description:
        'The ID of the machine; the preferred way to tell machines of the cluster apart.',
    }),
    bootID: string({ required: true, description: 'The ID of the current run of the machine.' }),
    kernelVersion: string({ required: true, description: 'The version of the kernel.' }),
    osImage: string({ required: true, description: 'The operating system, as it names itself.' }),
    containerRuntimeVersion: string({
      required: true,
      description: 'The version of the container runtime, as it reports it itself.',
    }),
    nodeAgentVersion: string({ required: true, description: 'The version of the node agent.' }),
    proxyVersion: string({
      required: true,
      description: 'Deprecated. The version of the network proxy.',
    }),
    operatingSystem: string({ required: true, description: 'The operating system.' }),
    architecture: string({ required: true, description: 'The architecture of the processor.' }),
    swap: use(
      struct(
        'io.cluster.core.v1.NodeSwapStatus',
        {
          capacity: int64({ pointer: true, description: 'All swap space, in bytes.' }),
        },
        { numbers: { capacity: 1 } },
      ),
      { pointer: true, description: 'The swap space of the node.' },
    ),
  },
  {
    numbers: {
      machineID: 1,
      bootID: 3,
      kernelVersion: 4,
      osImage: 5,
      containerRuntimeVersion: 6,
      nodeAgentVersion: 7,
      proxyVersion: 8,
      operatingSystem: 9,
      architecture: 10,
      swap: 11,
    },
  },
);
