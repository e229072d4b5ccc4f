import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { configMapKeyErrors, dns1123LabelErrors, dns1123SubdomainErrors } from '../../api/names.ts';
import { string, struct, use } from '../../schema/dsl.ts';
import type { ValueOf } from '../../schema/shape.ts';

/**
 * Configuration that is given to a node through the API. The feature is gone,
 * its fields are still kept and checked. Source: specification 2, section 2.1.
 */
type ConfigSourceValue = ValueOf<typeof NodeConfigSource>;
type ConfigStatusValue = ValueOf<typeof NodeConfigStatus>;

const ConfigMapSource = struct(
  'io.cluster.core.v1.ConfigMapNodeConfigSource',
  {
    namespace: string({ required: true, description: 'The namespace of the ConfigMap.' }),
    name: string({ required: true, description: 'The name of the ConfigMap.' }),
    uid: string({
      description: 'The uid of the ConfigMap: forbidden in spec, required in status.',
    }),
    resourceVersion: string({
      description: 'The state of the ConfigMap: forbidden in spec, required in status.',
    }),
    nodeAgentConfigKey: string({
      required: true,
      description: 'The key of the ConfigMap under which the configuration stands.',
    }),
  },
  { numbers: { namespace: 1, name: 2, uid: 3, resourceVersion: 4, nodeAgentConfigKey: 5 } },
);

export const NodeConfigSource = struct(
  'io.cluster.core.v1.NodeConfigSource',
  {
    configMap: use(ConfigMapSource, {
      pointer: true,
      description: 'A ConfigMap that holds the configuration.',
    }),
  },
  {
    description: 'Deprecated since release 1.22. Exactly one field must be set.',
    numbers: { configMap: 2 },
  },
);

export const NodeConfigStatus = struct(
  'io.cluster.core.v1.NodeConfigStatus',
  {
    assigned: use(NodeConfigSource, {
      pointer: true,
      description: 'What the node will try to use; reported once the record is on its disk.',
    }),
    active: use(NodeConfigSource, {
      pointer: true,
      description: 'What the node uses: what is assigned, or the last known good one.',
    }),
    lastKnownGood: use(NodeConfigSource, {
      pointer: true,
      description: 'What the node falls back to when what is assigned does not work.',
    }),
    error: string({
      description:
        'What went wrong, for people. Programs may only look whether there is anything here.',
    }),
  },
  { numbers: { assigned: 1, active: 2, lastKnownGood: 3, error: 4 } },
);

type Place = 'spec' | 'status';

/**
 * Errors of one source of a Node's configuration; in `spec` it must not name uid and
 * resourceVersion, in `status` it must.
 */
export function validateConfigSource(
  path: FieldPath,
  source: ConfigSourceValue,
  place: Place,
): FieldError[] {
  const { configMap } = source;
  if (configMap === undefined) {
    return [fieldError.invalid(path, {}, 'exactly one reference subfield must be non-nil')];
  }
  const at = path.child('configMap');
  return [
    ...validateIdentity(at.child('uid'), configMap.uid, place),
    ...validateIdentity(at.child('resourceVersion'), configMap.resourceVersion, place),
    ...validateText(at.child('namespace'), configMap.namespace, dns1123LabelErrors),
    ...validateText(at.child('name'), configMap.name, dns1123SubdomainErrors),
    ...validateText(
      at.child('nodeAgentConfigKey'),
      configMap.nodeAgentConfigKey,
      configMapKeyErrors,
    ),
  ];
}

/** Users name a ConfigMap, nodes tell which state of it they took. */
function validateIdentity(path: FieldPath, value = '', place: Place): FieldError[] {
  if (place === 'spec') {
    return value === '' ? [] : [fieldError.forbidden(path, 'must not be set in spec')];
  }
  return value === '' ? [fieldError.required(path, 'must be set in status')] : [];
}

function validateText(
  path: FieldPath,
  value: string,
  rule: (value: string) => string[],
): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  return invalidEach(path, value, rule(value));
}

/** Errors of the three sources that a Node's status reports. */
export function validateConfigStatus(status: ConfigStatusValue): FieldError[] {
  const path = FieldPath.of('status', 'config');
  return (['assigned', 'active', 'lastKnownGood'] as const).flatMap((field) => {
    const source = status[field];
    return source === undefined ? [] : validateConfigSource(path.child(field), source, 'status');
  });
}
