import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  pathSegmentNameErrors,
  portNumberErrors,
} from '../../api/names.ts';
import { isAlias, RESERVED_GROUP } from '../../api/naming.ts';
import { formatTime } from '../../api/time.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { bundleProblem, bundleSizeErrors } from '../ca-bundle.ts';
import { ageColumn, nameColumn, textAt, textColumn } from '../columns.ts';
import { validateConditions } from '../conditions.ts';
import type { ResourceDefinition, StrategyContext } from '../definition.ts';
import { keepField } from '../metadata-rules.ts';
import { apiServiceSchema, DEFAULT_SERVICE_PORT } from './api-service-schema.ts';
import {
  API_SERVICE_GROUP,
  API_SERVICE_PLURAL,
  LOCAL_AVAILABLE,
  type ApiService,
  type ApiServiceSpec,
} from './api-service-types.ts';

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

const METADATA = FieldPath.of('metadata');
const SPEC = FieldPath.of('spec');

function defaults(object: JsonObject): void {
  const service = getPath(object, 'spec', 'service');
  if (isObject(service)) service['port'] ??= DEFAULT_SERVICE_PORT;
}

/** What is handled by this server itself is available at once. Source: behaviours 9.17. */
function prepareForCreate(apiService: ApiService, { now }: StrategyContext): void {
  apiService.status = {};
  if (apiService.spec.service !== undefined) return;
  apiService.status.conditions = [{ ...LOCAL_AVAILABLE, lastTransitionTime: formatTime(now) }];
}

/** Source: specification 1, section 2.1; behaviours 9.16. */
function validate(object: ApiService): FieldError[] {
  const { metadata, spec } = object;
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  const required = `${version}.${group}`;
  const errors = [
    ...validateName('generateName', metadata.generateName ?? '', required),
    ...validateName('name', metadata.name ?? '', required),
  ];
  if (group === '' && version !== 'v1') {
    errors.push(fieldError.required(SPEC.child('group'), 'only v1 may have an empty group'));
  }
  if (group !== '') errors.push(...wrong('group', group, dns1123SubdomainErrors(group)));
  errors.push(...wrong('version', version, dns1035LabelErrors(version)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > MAX_GROUP_PRIORITY) {
    const why = `must be positive and at most ${MAX_GROUP_PRIORITY}`;
    errors.push(...wrong('groupPriorityMinimum', groupPriorityMinimum, [why]));
  }
  if (versionPriority <= 0 || versionPriority > MAX_VERSION_PRIORITY) {
    const why = `must be positive and at most ${MAX_VERSION_PRIORITY}`;
    errors.push(...wrong('versionPriority', versionPriority, [why]));
  }
  return [...errors, ...(spec.service === undefined ? validateLocal(spec) : validateRemote(spec))];
}

/** Names of the server's own groups lead to no other server. */
function validateNew(object: ApiService): FieldError[] {
  const { group = '' } = object.spec;
  const reserved = isAlias(group) ? wrong('group', group, [RESERVED_GROUP]) : [];
  return [...reserved, ...validate(object)];
}

/** Clients of Kubernetes send such bundles, which it accepts; without one the server is never trusted. */
function warnings(object: ApiService, old: ApiService | undefined): string[] {
  const { caBundle } = object.spec;
  if (caBundle === old?.spec.caBundle) return [];
  const problem = bundleProblem(caBundle);
  return problem === undefined ? [] : [`spec.caBundle: ${problem}: the server cannot be reached`];
}

function wrong(field: string, value: string | number, texts: readonly string[]): FieldError[] {
  return invalidEach(SPEC.child(field), value, texts);
}

/** A name that cannot stand in a path has been refused already; one that is generated never fits. */
function validateName(
  field: 'generateName' | 'name',
  name: string,
  required: string,
): FieldError[] {
  if (name === '' || name === required || pathSegmentNameErrors(name).length > 0) return [];
  const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`;
  return [fieldError.invalid(METADATA.child(field), name, why)];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: ApiServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (caBundle !== undefined) {
    const shown = `${Buffer.byteLength(caBundle, 'base64')} bytes`;
    const why = 'local APIServices may not have a caBundle';
    errors.push(fieldError.invalid(SPEC.child('caBundle'), shown, why));
  }
  if (insecureSkipTLSVerify === true) {
    const why = 'local APIServices may not have insecureSkipTLSVerify';
    errors.push(fieldError.invalid(SPEC.child('insecureSkipTLSVerify'), true, why));
  }
  return errors;
}

function validateRemote(spec: ApiServiceSpec): FieldError[] {
  const { namespace = '', name = '', port = DEFAULT_SERVICE_PORT } = spec.service ?? {};
  const path = SPEC.child('service');
  const errors: FieldError[] = [];
  if (namespace === '') errors.push(fieldError.required(path.child('namespace')));
  if (name === '') errors.push(fieldError.required(path.child('name')));
  for (const text of portNumberErrors(port)) {
    errors.push(fieldError.invalid(path.child('port'), port, `port is not valid: ${text}`));
  }
  if (spec.insecureSkipTLSVerify === true && spec.caBundle !== undefined) {
    const why = 'may not be true if caBundle is present';
    errors.push(fieldError.invalid(SPEC.child('insecureSkipTLSVerify'), true, why));
  }
  return [...errors, ...bundleSizeErrors(SPEC.child('caBundle'), spec.caBundle)];
}

const CONDITIONS = FieldPath.of('status', 'conditions');

function serviceText(object: JsonObject): string {
  if (getPath(object, 'spec', 'service') === undefined) return 'Local';
  return `${textAt(object, 'spec', 'service', 'namespace')}/${textAt(object, 'spec', 'service', 'name')}`;
}

function availableText(object: JsonObject): string {
  const conditions = getPath(object, 'status', 'conditions');
  const condition = Array.isArray(conditions)
    ? conditions.filter(isObject).find(({ type }) => type === 'Available')
    : undefined;
  if (condition === undefined) return 'Unknown';
  const status = textAt(condition, 'status');
  const reason = textAt(condition, 'reason');
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

/** Source: specification 1, section 2.1; behaviours 9.0 and 9.16. */
export const apiServiceDefinition: ResourceDefinition = builtinDefinition({
  group: API_SERVICE_GROUP,
  version: 'v1',
  kind: 'APIService',
  plural: API_SERVICE_PLURAL,
  categories: ['api-extensions'],
  namespaced: false,
  schema: apiServiceSchema,
  defaults,
  strategy: {
    // the rest depends on the object, see validateName
    validateName: (name) => pathSegmentNameErrors(name),
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareForCreate,
    validate: validateNew,
    prepareForUpdate: (object, old) => keepField(object, old, 'status'),
    validateUpdate: validate,
    warnings,
    resetFields: [['status']],
  },
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepField(object, old, 'spec');
        for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
          keepField(object.metadata, old.metadata, field);
        }
      },
      validateUpdate: (object, old) =>
        validateConditions(CONDITIONS, object.status.conditions, old.status.conditions),
      resetFields: [['spec'], ['metadata']],
    },
  },
  columns: [
    nameColumn,
    textColumn('Service', 'The service that serves the group and version.', serviceText),
    textColumn('Available', 'Whether the group and version can be reached.', availableText),
    ageColumn,
  ],
});
