import { boolean, bytes, int32, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { conditionFields, conditionList } from '../conditions.ts';

export const DEFAULT_SERVICE_PORT = 443;

const ServiceReference = struct(
  'io.cluster.apiregistration.v1.ServiceReference',
  {
    namespace: string({ description: 'The namespace of the service.' }),
    name: string({ description: 'The name of the service.' }),
    port: int32({
      pointer: true,
      default: DEFAULT_SERVICE_PORT,
      description: 'The port of the service, from 1 to 65535; 443 unless said.',
    }),
  },
  { description: 'Names a service of the cluster.', numbers: { namespace: 1, name: 2, port: 3 } },
);

const ApiServiceSpec = struct(
  'io.cluster.apiregistration.v1.APIServiceSpec',
  {
    service: use(ServiceReference, {
      pointer: true,
      description:
        'The service that serves this group and version. Without it this server handles them itself.',
    }),
    group: string({ description: 'The API group that is served.' }),
    version: string({ description: 'The version of it that is served.' }),
    insecureSkipTLSVerify: boolean({
      description:
        'Leaves the certificate of the serving side unverified. Discouraged: use caBundle.',
    }),
    caBundle: bytes({
      description:
        'Certificates in PEM that verify the serving side. Without them those of the system are used.',
    }),
    groupPriorityMinimum: int32({
      required: true,
      description:
        'The priority that the group has at least, from 1 to 20000. Groups are listed by it from high to low, then by name; the highest of all versions counts for the group.',
    }),
    versionPriority: int32({
      required: true,
      description:
        'Orders the versions of the group from high to low, from 1 to 1000. Between equal ones the name decides: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10.',
    }),
  },
  {
    numbers: {
      service: 1,
      group: 2,
      version: 3,
      insecureSkipTLSVerify: 4,
      caBundle: 5,
      groupPriorityMinimum: 7,
      versionPriority: 8,
    },
  },
);

/** Source of the fields: specification 1, section 2.1. */
export const apiServiceSchema = kind(
  'io.cluster.apiregistration.v1.APIService',
  {
    spec: use(ApiServiceSpec, { description: 'Which group and version is served, and by whom.' }),
    status: use(
      struct(
        'io.cluster.apiregistration.v1.APIServiceStatus',
        {
          conditions: conditionList(
            struct('io.cluster.apiregistration.v1.APIServiceCondition', conditionFields(), {
              numbers: { type: 1, status: 2, lastTransitionTime: 3, reason: 4, message: 5 },
            }),
            'Whether the group and version can be reached.',
          ),
        },
        { numbers: { conditions: 1 } },
      ),
      { description: 'The observed state. Written by the system.' },
    ),
  },
  {
    description:
      'Registers the server of one version of one API group. Its name is `<version>.<group>`.',
    numbers: { spec: 2, status: 3 },
  },
);
