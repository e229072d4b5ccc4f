import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { hasOwn, isObject, setOwn, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { ApiObject } from '../../api/object.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import { boolean, bytes, map, string } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn, textAt } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateImmutable } from '../immutable.ts';
import {
  dataSteps,
  entriesColumn,
  entriesOf,
  MAX_DATA_BYTES,
  validateFixed,
} from './data-rules.ts';

const OPAQUE = 'Opaque';

const schema = kind(
  'io.cluster.core.v1.Secret',
  {
    data: map(bytes(), {
      description:
        'Values in base64 by their keys, each a file name of at most 253 characters. All values together have at most 1 MiB.',
    }),
    type: string({
      description:
        'What the secret is for; Opaque unless set. Some types require keys: `kubernetes.io/tls`, `kubernetes.io/basic-auth`, `kubernetes.io/ssh-auth`, `kubernetes.io/dockercfg`, `kubernetes.io/dockerconfigjson`; `kubernetes.io/service-account-token` requires the annotation with the name of the account. Never changed.',
    }),
    stringData: map(string(), {
      description: 'Values as texts, for writing only: each becomes the value of its key in data.',
    }),
    immutable: boolean({
      pointer: true,
      description:
        'When true, the data never changes, and neither does this: the object can only be deleted.',
    }),
  },
  {
    description: 'Values that only those should read who need them, such as passwords and keys.',
    numbers: { data: 2, type: 3, stringData: 4, immutable: 5 },
  },
);

/** Completes the type, and moves texts into data. */
function* defaultSteps(object: JsonObject): Steps<void> {
  if (textAt(object, 'type') === '') object['type'] = OPAQUE;
  const { stringData } = object;
  if (!isObject(stringData)) return;
  const data = entriesOf(object['data']);
  for (const key of Object.keys(stringData)) {
    if (isStepOver()) yield;
    const text = stringData[key];
    if (typeof text === 'string') setOwn(data, key, Buffer.from(text).toString('base64'));
  }
  object['data'] = data;
  delete object['stringData'];
}

const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const DATA = FieldPath.of('data');

/** Keys of which all, or one at least, a type requires. */
const REQUIRED_KEYS: ReadonlyMap<
  string,
  { readonly keys: readonly string[]; readonly isOneEnough?: true }
> = new Map([
  ['kubernetes.io/tls', { keys: ['tls.crt', 'tls.key'] }],
  ['kubernetes.io/basic-auth', { keys: ['username', 'password'], isOneEnough: true }],
]);

/** Types whose value of one key is a JSON object. */
const JSON_KEYS: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/dockercfg', '.dockercfg'],
  ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
]);

/** What the type of a secret asks of it. Source: kube, ValidateSecret. */
function validateType(object: ApiObject, data: JsonObject): FieldError[] {
  const type = textAt(object, 'type');
  if (type === 'kubernetes.io/service-account-token') {
    const { annotations = {} } = object.metadata;
    const path = FieldPath.of('metadata', 'annotations').key(ACCOUNT_NAME);
    return (annotations[ACCOUNT_NAME] ?? '') === '' ? [fieldError.required(path)] : [];
  }
  if (type === 'kubernetes.io/ssh-auth') {
    const key = 'ssh-privatekey';
    return (data[key] ?? '') === '' ? [fieldError.required(DATA.key(key))] : [];
  }
  const jsonKey = JSON_KEYS.get(type);
  if (jsonKey !== undefined) return validateJson(data, jsonKey);
  const { keys, isOneEnough } = REQUIRED_KEYS.get(type) ?? { keys: [] };
  const missing = keys.filter((key) => !hasOwn(data, key));
  if (isOneEnough === true && missing.length < keys.length) return [];
  return missing.map((key) => fieldError.required(DATA.key(key)));
}

function validateJson(data: JsonObject, key: string): FieldError[] {
  const value = hasOwn(data, key) ? data[key] : undefined;
  if (value === undefined) return [fieldError.required(DATA.key(key))];
  const text = Buffer.from(typeof value === 'string' ? value : '', 'base64').toString('utf8');
  return isJsonObject(text)
    ? []
    : [fieldError.invalid(DATA.key(key), '<secret contents redacted>', 'must be a JSON object')];
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value === null || (typeof value === 'object' && !Array.isArray(value));
  } catch {
    return false;
  }
}

/** Source: behaviours 9.20. */
function* validateSteps(object: ApiObject): Steps<FieldError[]> {
  const data = entriesOf(object['data']);
  const { errors, bytes } = yield* dataSteps(DATA, data, 'base64');
  if (bytes > MAX_DATA_BYTES) {
    errors.push(fieldError.tooLong(DATA, MAX_DATA_BYTES));
  }
  return [...errors, ...validateType(object, data)];
}

/** Source: behaviours 9.0 and 9.20. */
export const secretDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  schema,
  defaultSteps,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    validateSteps,
    validateUpdate: (object, old) => [
      ...validateImmutable(FieldPath.of('type'), object['type'], old['type']),
      ...validateFixed(object, old, 'data'),
    ],
  },
  selectableFields: new Map([['type', (object: JsonObject) => textAt(object, 'type')]]),
  columns: [
    nameColumn,
    pathColumn('Type', 'What the secret is for.', 'type'),
    entriesColumn('Data', 'How many values there are.', 'data'),
    ageColumn,
  ],
});
