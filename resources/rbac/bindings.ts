import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { neutralGroup } from '../../api/naming.ts';
import { nameIsPathSegment } from '../../api/name-rules.ts';
import { dns1123SubdomainErrors, pathSegmentNameErrors } from '../../api/names.ts';
import type { Typed, ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textAt, textColumn, WIDE } from '../columns.ts';
import type { Column, ResourceDefinition } from '../definition.ts';
import { validateMetadataFinalizers } from '../metadata-rules.ts';
import { bindingNames } from '../named-groups.ts';
import { clusterRoleBindingSchema, roleBindingSchema } from './role-schema.ts';
import { RBAC_GROUP } from './roles.ts';

type Binding = ValueOf<typeof roleBindingSchema>;
type Subject = NonNullable<Binding['subjects']>[number];
type RoleRef = Binding['roleRef'];

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

/** Users, groups and roles are of this group unless something else is said, or its other name. */
function defaults(object: JsonObject): void {
  const { roleRef, subjects } = object;
  if (isObject(roleRef) && isThisGroup(roleRef['apiGroup'])) roleRef['apiGroup'] = RBAC_GROUP;
  if (!Array.isArray(subjects)) return;
  for (const subject of subjects.filter(isObject)) {
    const { kind, apiGroup } = subject;
    if ((kind === 'User' || kind === 'Group') && (apiGroup === undefined || isThisGroup(apiGroup)))
      subject['apiGroup'] = RBAC_GROUP;
  }
}

function isThisGroup(name: JsonValue | undefined): boolean {
  return name === '' || (typeof name === 'string' && neutralGroup(name) === RBAC_GROUP);
}

function validate(object: Binding, isNamespaced: boolean): FieldError[] {
  const { roleRef, subjects = [] } = object;
  const path = FieldPath.of('subjects');
  return [
    ...validateMetadataFinalizers(object.metadata),
    ...validateRoleRef(roleRef, isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
    ...errorsOfEach(subjects, (subject, i) =>
      validateSubject(path.index(i), subject, isNamespaced),
    ),
  ];
}

/** Source: behaviours 10.5; rbac validation of kube. */
function validateRoleRef({ apiGroup, kind, name }: RoleRef, kinds: string[]): FieldError[] {
  const path = FieldPath.of('roleRef');
  const errors: FieldError[] = [];
  if (apiGroup !== RBAC_GROUP) {
    errors.push(fieldError.notSupported(path.child('apiGroup'), apiGroup, [RBAC_GROUP]));
  }
  if (!kinds.includes(kind)) errors.push(fieldError.notSupported(path.child('kind'), kind, kinds));
  if (name === '') return [...errors, fieldError.required(path.child('name'))];
  return [...errors, ...invalidEach(path.child('name'), name, pathSegmentNameErrors(name))];
}

function validateSubject(
  path: FieldPath,
  { kind, apiGroup = '', name, namespace = '' }: Subject,
  isNamespaced: boolean,
): FieldError[] {
  const errors = name === '' ? [fieldError.required(path.child('name'))] : [];
  const group = path.child('apiGroup');
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '')
        errors.push(...invalidEach(path.child('name'), name, dns1123SubdomainErrors(name)));
      if (apiGroup !== '') errors.push(fieldError.notSupported(group, apiGroup, ['']));
      if (!isNamespaced && namespace === '')
        errors.push(fieldError.required(path.child('namespace')));
      return errors;
    case 'User':
    case 'Group':
      if (apiGroup !== RBAC_GROUP) {
        errors.push(fieldError.notSupported(group, apiGroup, [RBAC_GROUP]));
      }
      return errors;
    default:
      return [...errors, fieldError.notSupported(path.child('kind'), kind, SUBJECT_KINDS)];
  }
}

function validateUpdate(object: Binding, old: Binding, isNamespaced: boolean): FieldError[] {
  const { roleRef } = object;
  const same = deepEqual({ ...roleRef }, { ...old.roleRef });
  const changed = fieldError.invalid('roleRef', { ...roleRef }, 'cannot change roleRef');
  return [...validate(object, isNamespaced), ...(same ? [] : [changed])];
}

function roleText(object: JsonObject): string {
  return `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`;
}

const subjectsText =
  (kind: string) =>
  (object: JsonObject): string => {
    const subjects = getPath(object, 'subjects');
    if (!Array.isArray(subjects)) return '';
    return subjects
      .filter(isObject)
      .filter((subject) => subject['kind'] === kind)
      .map((subject) => {
        const namespace = textAt(subject, 'namespace');
        const name = textAt(subject, 'name');
        return kind === 'ServiceAccount' && namespace !== '' ? `${namespace}/${name}` : name;
      })
      .join(', ');
  };

const columns: readonly Column[] = [
  nameColumn,
  textColumn('Role', 'The role that is given.', roleText),
  ageColumn,
  textColumn('Users', 'The users that get it.', subjectsText('User'), WIDE),
  textColumn('Groups', 'The groups that get it.', subjectsText('Group'), WIDE),
  textColumn(
    'ServiceAccounts',
    'The service accounts that get it.',
    subjectsText('ServiceAccount'),
    WIDE,
  ),
];

function bindingDefinition(
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  schema: Typed<Binding>,
): ResourceDefinition {
  const namespaced = kind === 'RoleBinding';
  return builtinDefinition({
    group: RBAC_GROUP,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    schema,
    defaults,
    renamed: bindingNames,
    strategy: {
      validateName: nameIsPathSegment,
      createOnUpdate: true,
      unconditionalUpdate: true,
      validate: (object) => validate(object, namespaced),
      validateUpdate: (object, old) => validateUpdate(object, old, namespaced),
    },
    columns,
  });
}

export const roleBindingDefinition = bindingDefinition('RoleBinding', roleBindingSchema);
export const clusterRoleBindingDefinition = bindingDefinition(
  'ClusterRoleBinding',
  clusterRoleBindingSchema,
);
