import { getOwn, isObject, type JsonObject, type JsonValue } from '../../../api/json.ts';

/** A RoleBinding or ClusterRoleBinding, as far as decisions need it. */
export interface RbacBinding {
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly RbacSubject[];
}

export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

export interface RbacSubject {
  readonly kind: 'User' | 'Group';
  /** Of the user or group as requests carry it. */
  readonly name: string;
  /** As the reason of a decision shows it: `User "alice"`, `ServiceAccount "robot/default"`. */
  readonly text: string;
}

const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The user name of a service account. */
function serviceAccountUser(namespace: string, name: string): string {
  return `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** Reads a stored binding; subjects that are malformed get nothing. */
export function bindingOf(object: JsonObject, namespace: string, name: string): RbacBinding {
  const roleRef = getOwn(object, 'roleRef');
  const reference = isObject(roleRef) ? roleRef : {};
  const subjects = getOwn(object, 'subjects');
  return {
    name,
    namespace,
    role: { kind: text(reference.kind), name: text(reference.name) },
    subjects: (Array.isArray(subjects) ? subjects : [])
      .filter(isObject)
      .flatMap((subject) => subjectOf(subject, namespace)),
  };
}

function subjectOf(subject: JsonObject, bindingNamespace: string): RbacSubject[] {
  const name = text(subject.name);
  const kind = text(subject.kind);
  switch (kind) {
    case 'User':
    case 'Group':
      return [{ kind, name, text: `${kind} ${JSON.stringify(name)}` }];
    case 'ServiceAccount': {
      // A RoleBinding may leave the namespace out: then its own is meant.
      const given = text(subject.namespace);
      const namespace = given === '' ? bindingNamespace : given;
      if (namespace === '') return [];
      const shown = `${kind} ${JSON.stringify(`${name}/${namespace}`)}`;
      return [{ kind: 'User', name: serviceAccountUser(namespace, name), text: shown }];
    }
    default:
      return [];
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `RoleBinding "a/default" of ClusterRole "view" to User "alice"`. */
export function bindingText(binding: RbacBinding, subject: RbacSubject): string {
  const { name, namespace, role } = binding;
  const what =
    namespace === ''
      ? `ClusterRoleBinding ${JSON.stringify(name)}`
      : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
  return `${what} of ${role.kind} ${JSON.stringify(role.name)} to ${subject.text}`;
}
