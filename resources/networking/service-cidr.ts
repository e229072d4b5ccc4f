import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { validateCidr } from '../../api/ip-validation.ts';
import { IpPrefix } from '../../api/ip.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { list, string, struct, use } from '../../schema/dsl.ts';
import { Condition } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textColumn } from '../columns.ts';
import { conditionList, validateConditions, validateFullCondition } from '../conditions.ts';
import type { ResourceDefinition } from '../definition.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { validateImmutable } from '../immutable.ts';
import {
  keepField,
  resetMetadataForStatus,
  validateMetadataFinalizers,
} from '../metadata-rules.ts';

/** One of each family. */
const MAX_CIDRS = 2;

type ServiceCidr = ValueOf<typeof serviceCidrSchema>;

export const serviceCidrSchema = kind(
  'io.cluster.networking.v1.ServiceCIDR',
  {
    spec: use(
      struct(
        'io.cluster.networking.v1.ServiceCIDRSpec',
        {
          cidrs: list(string(), {
            listType: 'atomic',
            description:
              'The ranges in CIDR notation, such as `192.0.2.0/24` and `2001:db8::/64`: at most two, one of each family. They never change.',
          }),
        },
        { numbers: { cidrs: 1 } },
      ),
      { description: 'The ranges from which addresses of services are taken.' },
    ),
    status: use(
      struct(
        'io.cluster.networking.v1.ServiceCIDRStatus',
        {
          conditions: conditionList(Condition, 'The state of the ranges.'),
        },
        { numbers: { conditions: 1 } },
      ),
      { description: 'The observed state. Written by the system.' },
    ),
  },
  {
    description: 'Ranges of addresses for the services of the cluster.',
    numbers: { spec: 2, status: 3 },
  },
);

const CIDRS = FieldPath.of('spec', 'cidrs');

/** Source: specification 1, section 2.8; behaviours 9.10. */
function validateCidrs(cidrs: readonly string[]): FieldError[] {
  if (cidrs.length === 0) return [fieldError.required(CIDRS, 'at least one CIDR required')];
  if (cidrs.length > MAX_CIDRS) {
    return [fieldError.invalid(CIDRS, [...cidrs], `may only hold up to ${MAX_CIDRS} values`)];
  }
  const errors = cidrs.flatMap((cidr, i) => validateCidr(CIDRS.index(i), cidr));
  const [first, second] = cidrs.map((cidr) => IpPrefix.parse(cidr)?.family);
  if (first === undefined || first !== second) return errors;
  const why =
    'may specify no more than one range for each IP family, i.e 192.168.0.0/24 and 2001:db8::/96';
  return [...errors, fieldError.invalid(CIDRS, [...cidrs], why)];
}

function validate(object: ServiceCidr): FieldError[] {
  const { cidrs = [] } = object.spec;
  return [...validateMetadataFinalizers(object.metadata), ...validateCidrs(cidrs)];
}

function validateUpdate(object: ServiceCidr, old: ServiceCidr): FieldError[] {
  const { cidrs = [] } = object.spec;
  const before = old.spec.cidrs ?? [];
  const finalizers = validateMetadataFinalizers(object.metadata);
  if (before.length !== cidrs.length) {
    return [...finalizers, ...validateImmutable(CIDRS, [...cidrs], [...before])];
  }
  const changes = cidrs.flatMap((cidr, i) => validateImmutable(CIDRS.index(i), cidr, before[i]));
  return [...finalizers, ...changes];
}

function cidrsText(object: JsonObject): string {
  const cidrs = getPath(object, 'spec', 'cidrs');
  return Array.isArray(cidrs) ? cidrs.filter((cidr) => typeof cidr === 'string').join(',') : '';
}

/** Source: specification 1, section 2.8; behaviours 9.0 and 9.10. */
export const serviceCidrDefinition: ResourceDefinition = builtinDefinition({
  group: 'networking.cluster.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  schema: serviceCidrSchema,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    prepareForCreate(object) {
      object['status'] = {};
    },
    validate,
    prepareForUpdate: (object, old) => keepField(object, old, 'status'),
    validateUpdate,
    resetFields: [['status']],
  },
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepField(object, old, 'spec');
        resetMetadataForStatus(object, old);
      },
      validateUpdate: (object, old) =>
        validateConditions(
          FieldPath.of('status', 'conditions'),
          object.status.conditions,
          old.status.conditions,
          validateFullCondition,
        ),
      resetFields: [['spec'], ['metadata']],
    },
  },
  columns: [
    nameColumn,
    textColumn('CIDRs', 'The ranges from which addresses are taken.', cidrsText),
    ageColumn,
  ],
});
