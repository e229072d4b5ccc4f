import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { isObject, type JsonValue } from '../../api/json.ts';
import { list, string } from '../../schema/dsl.ts';
import type { StructOf, Typed } from '../../schema/shape.ts';

const ALL = '*';
const ALL_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

const words = (description: string): Typed<string[], 'nothing'> =>
  list(string(), { listType: 'atomic', description });

/** The fields of a rule. Source: specification 3, section 2.3, RuleWithOperations. */
export const ruleFields = {
  operations: words(
    'CREATE, UPDATE, DELETE, CONNECT, or `*` for all there are and will be. `*` stands alone.',
  ),
  apiGroups: words('The groups of the resources; `*` for all. `*` stands alone.'),
  apiVersions: words('The versions of the groups; `*` for all. `*` stands alone.'),
  resources: words(
    '`pods` is a resource, `pods/log` a subresource of it, `pods/*` all of them, `*/scale` that subresource of every resource, `*` all resources without subresources, `*/*` everything. They must not overlap.',
  ),
  scope: string({
    pointer: true,
    default: ALL,
    description:
      'Cluster for resources without namespace (Namespace is one), Namespaced for those with one, `*` or empty for both. A subresource has the scope of its resource.',
  }),
};

/** Which requests a webhook or policy cares about. */
export type RuleValue = StructOf<typeof ruleFields>;

/** Fills in the scope of every rule; in place. */
export function defaultRules(rules: JsonValue | undefined): void {
  if (!Array.isArray(rules)) return;
  for (const rule of rules) if (isObject(rule)) rule['scope'] ??= ALL;
}

/** Source: specification 3, section 2.3; behaviours 8.12. */
export function validateRule(path: FieldPath, rule: RuleValue): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope = '' } = rule;
  const errors = [
    ...validateAlone(path.child('operations'), operations, 'operations'),
    ...errorsOfEach(operations, (operation, i) =>
      ALL_OPERATIONS.includes(operation)
        ? []
        : [fieldError.notSupported(path.child('operations').index(i), operation, ALL_OPERATIONS)],
    ),
    ...validateAlone(path.child('apiGroups'), apiGroups, 'API groups'),
    ...validateAlone(path.child('apiVersions'), apiVersions, 'API versions'),
    ...errorsOfEach(apiVersions, (version, i) =>
      version === '' ? [fieldError.required(path.child('apiVersions').index(i))] : [],
    ),
    ...validateResources(path.child('resources'), resources),
  ];
  if (scope !== '' && !SCOPES.includes(scope)) {
    errors.push(fieldError.notSupported(path.child('scope'), scope, SCOPES));
  }
  return errors;
}

function validateAlone(path: FieldPath, words: readonly string[], others: string): FieldError[] {
  if (words.length === 0) return [fieldError.required(path)];
  return words.length > 1 && words.includes(ALL)
    ? [fieldError.invalid(path, [...words], `if '*' is present, must not specify other ${others}`)]
    : [];
}

/** Resources with wildcards cover others; what is covered already must not be named again. */
function validateResources(path: FieldPath, resources: readonly string[]): FieldError[] {
  if (resources.length === 0) return [fieldError.required(path)];
  const withAllSubresources = new Set<string>();
  const subresourcesOfAll = new Set<string>();
  const errors = errorsOfEach(resources, (resource, i) => {
    const at = path.index(i);
    if (resource === '') return [fieldError.required(at)];
    const slash = resource.indexOf('/');
    if (slash < 0) return [];
    const name = resource.slice(0, slash);
    const subresource = resource.slice(slash + 1);
    const covered: string[] = [];
    if (withAllSubresources.has(name)) covered.push(`${name}/*`);
    if (subresourcesOfAll.has(subresource)) covered.push(`*/${subresource}`);
    if (subresource === ALL) withAllSubresources.add(name);
    if (name === ALL) subresourcesOfAll.add(subresource);
    return covered.map((by) => {
      const why = `if '${by}' is present, must not specify ${resource}`;
      return fieldError.invalid(at, resource, why);
    });
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    const why = "if '*/*' is present, must not specify other resources";
    errors.push(fieldError.invalid(path, [...resources], why));
  }
  // the last one decides, as in kube-apiserver: `x, *` is accepted, `*, x` is not
  const last = resources.findLast((one) => one !== '' && !one.includes('/'));
  if (resources.includes(ALL) && last !== ALL) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldError.invalid(path, [...resources], why));
  }
  return errors;
}
