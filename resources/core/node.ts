import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { validateLooseCidr } from '../../api/ip-validation.ts';
import { IpPrefix } from '../../api/ip.ts';
import { deepClone, deepEqual, getPath, isObject, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { textAt } from '../columns.ts';
import { validateConditions } from '../conditions.ts';
import type { ResourceDefinition } from '../definition.ts';
import { keepField } from '../metadata-rules.ts';
import { roundAmounts, validateAmount, type ResourceList } from '../resource-quantities.ts';
import { validateTaints } from '../taints.ts';
import { nodeColumns } from './node-columns.ts';
import { validateConfigSource, validateConfigStatus } from './node-config.ts';
import { nodeSchema } from './node-schema.ts';

type Node = ValueOf<typeof nodeSchema>;
type NodeStatus = Node['status'];
type NodeSpec = Node['spec'];

const PHASES = ['Pending', 'Running', 'Terminated'];
const ADDRESS_TYPES = ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'];
const MAX_POD_CIDRS = 2;

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

function defaults(object: JsonObject): void {
  const { spec, status } = object;
  if (isObject(spec)) unifyPodCidrs(spec);
  if (!isObject(status)) return;
  const { capacity, allocatable, images } = status;
  // no names are null, however they were written, as the empty rules of a role are
  for (const image of Array.isArray(images) ? images : []) {
    if (isObject(image) && Array.isArray(image['names']) && image['names'].length === 0) {
      image['names'] = null;
    }
  }
  if (isObject(capacity)) roundAmounts(capacity);
  if (isObject(allocatable)) roundAmounts(allocatable);
  else if (isObject(capacity)) status['allocatable'] = deepClone(capacity);
}

/** The first of podCIDRs is podCIDR: whichever of the two is absent follows from the other. */
function unifyPodCidrs(spec: JsonObject): void {
  const single = textAt(spec, 'podCIDR');
  const { podCIDRs } = spec;
  const first = Array.isArray(podCIDRs) ? podCIDRs[0] : undefined;
  if (first === undefined && single !== '') spec['podCIDRs'] = [single];
  else if (first !== undefined && single === '') spec['podCIDR'] = first;
}

/** Source: specification 2, section 2.1; behaviours 9.12. */
function validateSpec(object: Node, before: Node | undefined): FieldError[] {
  const { spec } = object;
  const old = before?.spec;
  return [
    ...validateTaints(SPEC.child('taints'), spec.taints ?? []),
    ...validatePodCidrs(spec.podCIDRs ?? [], old?.podCIDRs ?? []),
    ...validateFirstPodCidr(spec),
    ...(spec.configSource === undefined
      ? []
      : validateConfigSource(SPEC.child('configSource'), spec.configSource, 'spec')),
  ];
}

/** kube-apiserver drops podCIDRs where the two differ; here the client is told. */
function validateFirstPodCidr({ podCIDR = '', podCIDRs: [first] = [] }: NodeSpec): FieldError[] {
  if (first === undefined || first === podCIDR) return [];
  const why = `must equal podCIDR, which is ${JSON.stringify(podCIDR)}`;
  return [fieldError.invalid(SPEC.child('podCIDRs').index(0), first, why)];
}

/** Ranges that were stored before are let pass as they are. */
function validatePodCidrs(cidrs: readonly string[], old: readonly string[]): FieldError[] {
  const path = SPEC.child('podCIDRs');
  const errors = errorsOfEach(cidrs, (cidr, i) =>
    old.includes(cidr) ? [] : validateLooseCidr(path.index(i), cidr),
  );
  const families = cidrs.map((cidr) => IpPrefix.parse(cidr)?.family);
  const isPair = families.length === MAX_POD_CIDRS && families[0] !== families[1];
  const isReadable = !families.includes(undefined);
  if (cidrs.length > 1 && !isReadable) {
    errors.push(fieldError.internal(path, 'cannot be checked for one CIDR of each IP family'));
  }
  if (cidrs.length > 1 && !(isPair && isReadable)) {
    const why = 'may specify no more than one CIDR for each IP family';
    errors.push(fieldError.invalid(path, [...cidrs], why));
  }
  for (const [i, cidr] of cidrs.entries()) {
    if (cidrs.indexOf(cidr) < i) errors.push(fieldError.duplicate(path.index(i), cidr));
  }
  return errors;
}

/** What is set once, and what can never be set later. */
function validateChanges(object: Node, before: Node): FieldError[] {
  const { spec } = object;
  const old = before.spec;
  const errors: FieldError[] = [];
  const oldCidrs = old.podCIDRs ?? [];
  if (oldCidrs.length > 0 && !deepEqual(oldCidrs, spec.podCIDRs ?? [])) {
    const why = 'node updates may not change podCIDR except from "" to valid';
    errors.push(fieldError.forbidden(SPEC.child('podCIDRs'), why));
  }
  if ((old.providerID ?? '') !== '' && old.providerID !== spec.providerID) {
    const why = 'node updates may not change providerID except from "" to valid';
    errors.push(fieldError.forbidden(SPEC.child('providerID'), why));
  }
  if ((old.externalID ?? '') !== (spec.externalID ?? '')) {
    errors.push(fieldError.forbidden(SPEC.child('externalID'), 'may not be updated'));
  }
  return errors;
}

function validateStatus(object: Node, before: Node | undefined): FieldError[] {
  const { status } = object;
  const old = before?.status;
  const { phase = '' } = status;
  const path = STATUS.child('conditions');
  return [
    ...validateAmounts('capacity', status.capacity),
    ...validateAmounts('allocatable', status.allocatable),
    ...(phase === '' || phase === old?.phase || PHASES.includes(phase)
      ? []
      : [fieldError.notSupported(STATUS.child('phase'), phase, PHASES)]),
    ...validateConditions(path, status.conditions, old?.conditions),
    ...validateAddresses(status, old),
    ...(status.config === undefined ? [] : validateConfigStatus(status.config)),
  ];
}

function validateAmounts(field: string, amounts: ResourceList = {}): FieldError[] {
  return errorsOfEach(Object.entries(amounts), ([resource, amount]) =>
    validateAmount(STATUS.child(field).child(resource), resource, amount),
  );
}

function validateAddresses({ addresses = [] }: NodeStatus, old?: NodeStatus): FieldError[] {
  if (deepEqual(addresses, old?.addresses ?? [])) return [];
  const seen = new Set<string>();
  return errorsOfEach(addresses, ({ type, address }, i) => {
    const path = STATUS.child('addresses').index(i);
    const errors: FieldError[] = [];
    if (!ADDRESS_TYPES.includes(type)) {
      errors.push(fieldError.notSupported(path.child('type'), type, ADDRESS_TYPES));
    }
    const identity = JSON.stringify([type, address]);
    // only a change is looked at for them: so nodes that register have always been let pass
    if (old !== undefined && seen.has(identity)) {
      errors.push(fieldError.duplicate(path, { type, address }));
    }
    seen.add(identity);
    return errors;
  });
}

function warnings(object: Node): string[] {
  const { spec } = object;
  const texts: string[] = [];
  if (spec.configSource !== undefined) texts.push('spec.configSource: the feature is removed');
  if ((spec.externalID ?? '') !== '') {
    texts.push('spec.externalID: this field is deprecated, and is unused');
  }
  for (const [i, cidr] of (spec.podCIDRs ?? []).entries()) {
    const canonical = IpPrefix.parse(cidr)?.canonical();
    if (canonical === undefined || canonical === cidr) continue;
    texts.push(
      `spec.podCIDRs[${i}]: IPv6 CIDR value "${cidr}" should be in RFC 5952 canonical format ("${canonical}")`,
    );
  }
  return texts;
}

function unschedulable(object: JsonObject): string {
  return String(getPath(object, 'spec', 'unschedulable') === true);
}

/** Source: specification 2, section 2.1; behaviours 9.0 and 9.12. */
export const nodeDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  schema: nodeSchema,
  defaults,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    validate: (object) => [
      ...validateSpec(object, undefined),
      ...validateStatus(object, undefined),
    ],
    prepareForUpdate: (object, old) => keepField(object, old, 'status'),
    validateUpdate: (object, old) => [
      ...validateSpec(object, old),
      ...validateChanges(object, old),
    ],
    resetFields: [['status']],
    warnings,
  },
  subresources: {
    status: {
      prepareForUpdate: (object, old) => keepField(object, old, 'spec'),
      validateUpdate: (object, old) => [...validateStatus(object, old)],
      resetFields: [['spec']],
    },
  },
  selectableFields: new Map([['spec.unschedulable', unschedulable]]),
  columns: nodeColumns,
});
