import { MadeStruct } from '../cel/types/made-struct.ts';
import type { Environment, StructTypes } from '../cel/environment.ts';
import { API_ENVIRONMENT, MUTATION_ENVIRONMENT } from '../cel/environments.ts';
import { AUTHORIZER_TYPE, RESOURCE_CHECK_TYPE } from '../cel/libraries/authorizer.ts';
import {
  BOOL,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
} from '../cel/value/type.ts';
import type { CelType } from '../cel/value/cel-type.ts';

/** What expressions of webhook configurations and policies know of a request. */

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const known = new Map(Object.entries(fields));
  return structType(name, (field) => known.get(field));
}

const STRINGS = listType(STRING);
const STRING_MAP = mapType(STRING, STRING);
const GROUP_VERSION_KIND = object('kubernetes.GroupVersionKind', {
  group: STRING,
  version: STRING,
  kind: STRING,
});
const GROUP_VERSION_RESOURCE = object('kubernetes.GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
});

/** The variable `request`; the objects are variables of their own. */
const REQUEST = object('kubernetes.AdmissionRequest', {
  kind: GROUP_VERSION_KIND,
  resource: GROUP_VERSION_RESOURCE,
  subResource: STRING,
  requestKind: GROUP_VERSION_KIND,
  requestResource: GROUP_VERSION_RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: object('kubernetes.UserInfo', {
    username: STRING,
    uid: STRING,
    groups: STRINGS,
    extra: mapType(STRING, STRINGS),
  }),
  dryRun: BOOL,
  options: DYN,
});

/** The variable `namespaceObject`: the namespace of the object, without what only servers need. */
const NAMESPACE = object('kubernetes.Namespace', {
  metadata: object('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: STRING_MAP,
    annotations: STRING_MAP,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: object('kubernetes.NamespaceSpec', { finalizers: STRINGS }),
  status: object('kubernetes.NamespaceStatus', {
    conditions: listType(
      object('kubernetes.NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
});

const OBJECT_NAME = 'Object';

/** A part of an object to be applied: `Object{spec: Object.spec{…}}`. Its fields are not checked here. */
const applied = (name: string): CelType => structType(name, () => DYN);
export const APPLIED_OBJECT: CelType = applied(OBJECT_NAME);

/** One operation of a JSON patch. */
export const PATCH_OPERATION: CelType = object('JSONPatch', {
  op: STRING,
  from: STRING,
  path: STRING,
  value: DYN,
});

const MUTATION_STRUCTS: StructTypes = {
  find(name) {
    if (name === PATCH_OPERATION.name) return PATCH_OPERATION;
    return name === OBJECT_NAME || name.startsWith(`${OBJECT_NAME}.`) ? applied(name) : undefined;
  },
  factory: (type) => (fields) => new MadeStruct(type, fields),
};

interface AdmissionVariables {
  /** `params` */
  readonly params: boolean;
  /** `authorizer` and `authorizer.requestResource` */
  readonly authorizer: boolean;
  /** The types that mutations make. */
  readonly mutation: boolean;
  /** The fields of `variables`; undefined when there is no such variable. */
  readonly variables: ReadonlyMap<string, CelType> | undefined;
}

/** Source: k8s.io/apiserver pkg/admission/plugin/cel/compile.go and composition.go. */
export function admissionEnvironment(having: AdmissionVariables): Environment {
  const { variables: fields } = having;
  const variables: Record<string, CelType> = {
    object: DYN,
    oldObject: DYN,
    namespaceObject: NAMESPACE,
    request: REQUEST,
  };
  if (having.params) variables['params'] = DYN;
  if (having.authorizer) {
    variables['authorizer'] = AUTHORIZER_TYPE;
    variables['authorizer.requestResource'] = RESOURCE_CHECK_TYPE;
  }
  if (fields !== undefined) {
    variables['variables'] = structType('kubernetes.variables', (name) => fields.get(name));
  }
  return having.mutation
    ? MUTATION_ENVIRONMENT.extend({ variables, structs: MUTATION_STRUCTS })
    : API_ENVIRONMENT.extend({ variables });
}

/** The type of a variable for those who use it: structs lose their fields. */
export function variableType(type: CelType): CelType {
  switch (type.kind) {
    case 'list':
    case 'map': {
      const params = type.params.map(variableType);
      return params.length === 1
        ? listType(params[0] ?? DYN)
        : mapType(params[0] ?? DYN, params[1] ?? DYN);
    }
    case 'struct':
    case 'opaque':
    case 'type':
      return DYN;
    default:
      return type;
  }
}
