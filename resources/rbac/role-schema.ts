import { list, string, struct, use } from '../../schema/dsl.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { Typed } from '../../schema/shape.ts';

/** Rules say what may be done, bindings who may do it. */

const words = (description: string): Typed<string[], 'nothing'> =>
  list(string(), { listType: 'atomic', description });

const PolicyRule = struct(
  'io.cluster.rbac.v1.PolicyRule',
  {
    verbs: list(string(), {
      required: true,
      listType: 'atomic',
      description: 'What may be done: get, list, watch, create and so on; `*` is everything.',
    }),
    apiGroups: words(
      'The groups of the resources; an empty string is the core group, `*` all groups.',
    ),
    resources: words('The resources; `*` is all of them, `x/y` the subresource y of x.'),
    resourceNames: words('The names of the objects; when empty, all objects of the resources.'),
    nonResourceURLs: words(
      'Paths that are not resources; a `*` at the end stands for everything that follows. Only for the whole cluster, and not together with resources.',
    ),
  },
  {
    description: 'Something that may be done, on some resources or on some paths.',
    numbers: { verbs: 1, apiGroups: 2, resources: 3, resourceNames: 4, nonResourceURLs: 5 },
  },
);

const rules = list(PolicyRule, {
  listType: 'atomic',
  omit: 'never',
  description: 'What may be done; each rule adds to the others.',
});

export const roleSchema = kind(
  'io.cluster.rbac.v1.Role',
  { rules },
  { description: 'Things that may be done inside one namespace.', numbers: { rules: 2 } },
);

export const clusterRoleSchema = kind(
  'io.cluster.rbac.v1.ClusterRole',
  {
    rules,
    aggregationRule: use(
      struct(
        'io.cluster.rbac.v1.AggregationRule',
        {
          clusterRoleSelectors: list(LabelSelector, {
            listType: 'atomic',
            description: 'Selects the roles whose rules are put together.',
          }),
        },
        { numbers: { clusterRoleSelectors: 1 } },
      ),
      {
        pointer: true,
        description:
          'Puts the rules together from those of other roles; then they are not written by hand.',
      },
    ),
  },
  {
    description: 'Things that may be done anywhere in the cluster.',
    numbers: { rules: 2, aggregationRule: 3 },
  },
);

const Subject = struct(
  'io.cluster.rbac.v1.Subject',
  {
    kind: string({ required: true, description: 'User, Group or ServiceAccount.' }),
    apiGroup: string({
      description: 'The group of the kind: rbac.authorization.cluster.io for users and groups.',
    }),
    name: string({ required: true, description: 'The name.' }),
    namespace: string({ description: 'The namespace of a ServiceAccount; others have none.' }),
  },
  {
    mapType: 'atomic',
    description: 'Who is meant.',
    numbers: { kind: 1, apiGroup: 2, name: 3, namespace: 4 },
  },
);

const RoleRef = struct(
  'io.cluster.rbac.v1.RoleRef',
  {
    apiGroup: string({
      required: true,
      description: 'The group of the role: rbac.authorization.cluster.io.',
    }),
    kind: string({ required: true, description: 'Role or ClusterRole.' }),
    name: string({ required: true, description: 'The name of the role.' }),
  },
  { mapType: 'atomic', description: 'Names a role.', numbers: { apiGroup: 1, kind: 2, name: 3 } },
);

const bindingFields = {
  subjects: list(Subject, {
    listType: 'atomic',
    description: 'Who gets what the role says.',
  }),
  roleRef: use(RoleRef, { required: true, description: 'The role. Never changed.' }),
};

export const roleBindingSchema = kind('io.cluster.rbac.v1.RoleBinding', bindingFields, {
  description: 'Grants a role to users, groups or service accounts inside one namespace.',
  numbers: { subjects: 2, roleRef: 3 },
});

export const clusterRoleBindingSchema = kind(
  'io.cluster.rbac.v1.ClusterRoleBinding',
  bindingFields,
  {
    description: 'Grants a ClusterRole to users, groups or service accounts in the whole cluster.',
    numbers: { subjects: 2, roleRef: 3 },
  },
);
