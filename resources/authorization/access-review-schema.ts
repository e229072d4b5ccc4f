import { boolean, list, map, string, struct, use } from '../../schema/dsl.ts';
import { LabelSelectorRequirement } from '../../schema/meta-types.ts';
import { kind } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';

const word = (description: string): StructuralSchema => string({ description });
const words = (description: string): StructuralSchema =>
  list(string(), { listType: 'atomic', description });

const selector = (name: string, what: string): StructuralSchema =>
  use(
    struct(
      `io.cluster.authorization.v1.${name}`,
      {
        rawSelector: word(`The ${what} as a request carries it. Not together with requirements.`),
        requirements: list(LabelSelectorRequirement, {
          listType: 'atomic',
          description: 'What must hold of a selected object; all of it.',
        }),
      },
      { numbers: { rawSelector: 1, requirements: 2 } },
    ),
    { pointer: true, description: `Which objects are meant, by ${what}.` },
  );

const resourceAttributes = use(
  struct(
    'io.cluster.authorization.v1.ResourceAttributes',
    {
      namespace: word('The namespace; empty for the cluster scope, and for all namespaces.'),
      verb: word('What is to be done: get, list, watch, create and so on; `*` is everything.'),
      group: word('The group of the resource; `*` is all of them.'),
      version: word('The version of the resource; `*` is all of them.'),
      resource: word('The resource; `*` is all of them.'),
      subresource: word('The subresource; empty for the object itself.'),
      name: word('The name of the object; empty for all of them.'),
      fieldSelector: selector('FieldSelectorAttributes', 'field selector'),
      labelSelector: selector('LabelSelectorAttributes', 'label selector'),
    },
    {
      numbers: {
        namespace: 1,
        verb: 2,
        group: 3,
        version: 4,
        resource: 5,
        subresource: 6,
        name: 7,
        fieldSelector: 8,
        labelSelector: 9,
      },
    },
  ),
  { pointer: true, description: 'What is asked about, when it is a resource.' },
);

const nonResourceAttributes = use(
  struct(
    'io.cluster.authorization.v1.NonResourceAttributes',
    {
      path: word('The path.'),
      verb: word('The method, in lower case.'),
    },
    { numbers: { path: 1, verb: 2 } },
  ),
  { pointer: true, description: 'The path that is asked about, when it is not a resource.' },
);

const SelfSpec = struct(
  'io.cluster.authorization.v1.SelfSubjectAccessReviewSpec',
  {
    resourceAttributes,
    nonResourceAttributes,
  },
  { numbers: { resourceAttributes: 1, nonResourceAttributes: 2 } },
);

const Spec = struct(
  'io.cluster.authorization.v1.SubjectAccessReviewSpec',
  {
    resourceAttributes,
    nonResourceAttributes,
    user: word('The name of the user. A user, or groups, or both.'),
    groups: words('The groups of the user.'),
    extra: map(list(string()), {
      description: 'What else is known of the user.',
    }),
    uid: word('The uid of the user.'),
  },
  {
    numbers: {
      resourceAttributes: 1,
      nonResourceAttributes: 2,
      user: 3,
      groups: 4,
      extra: 5,
      uid: 6,
    },
  },
);

const status = use(
  struct(
    'io.cluster.authorization.v1.SubjectAccessReviewStatus',
    {
      allowed: boolean({ required: true, description: 'It may be done.' }),
      denied: boolean({
        description:
          'The request is denied, whatever other authorizers say. When neither is set, no authorizer has allowed it.',
      }),
      reason: word('Why.'),
      evaluationError: word('Errors met while deciding; the decision holds nevertheless.'),
    },
    { numbers: { allowed: 1, reason: 2, evaluationError: 3, denied: 4 } },
  ),
  { description: 'The answer of the server.' },
);

export const subjectAccessReviewSchema = kind(
  'io.cluster.authorization.v1.SubjectAccessReview',
  { spec: use(Spec, { required: true, description: 'Who wants to do what.' }), status },
  { description: 'Asks whether a user may do something.', numbers: { spec: 2, status: 3 } },
);

export const localSubjectAccessReviewSchema = kind(
  'io.cluster.authorization.v1.LocalSubjectAccessReview',
  { spec: use(Spec, { required: true, description: 'Who wants to do what.' }), status },
  {
    description: 'Asks whether a user may do something in one namespace.',
    numbers: { spec: 2, status: 3 },
  },
);

export const selfSubjectAccessReviewSchema = kind(
  'io.cluster.authorization.v1.SelfSubjectAccessReview',
  { spec: use(SelfSpec, { required: true, description: 'What is to be done.' }), status },
  { description: 'Asks whether who sends it may do something.', numbers: { spec: 2, status: 3 } },
);

const verbs = list(string(), {
  required: true,
  listType: 'atomic',
  description: 'What may be done; `*` is everything.',
});

const RulesStatus = struct(
  'io.cluster.authorization.v1.SubjectRulesReviewStatus',
  {
    resourceRules: list(
      struct(
        'io.cluster.authorization.v1.ResourceRule',
        {
          verbs,
          apiGroups: words('The groups of the resources; `*` is all of them.'),
          resources: words('The resources; `*` is all of them.'),
          resourceNames: words('The names of the objects; when empty, all of them.'),
        },
        { numbers: { verbs: 1, apiGroups: 2, resources: 3, resourceNames: 4 } },
      ),
      { required: true, listType: 'atomic', description: 'What may be done on resources.' },
    ),
    nonResourceRules: list(
      struct(
        'io.cluster.authorization.v1.NonResourceRule',
        {
          verbs,
          nonResourceURLs: words('The paths; a `*` at the end stands for all that follows.'),
        },
        { numbers: { verbs: 1, nonResourceURLs: 2 } },
      ),
      { required: true, listType: 'atomic', description: 'What may be done on other paths.' },
    ),
    incomplete: boolean({ required: true, description: 'There is more than could be listed.' }),
    evaluationError: word('What went wrong while the rules were looked up.'),
  },
  { numbers: { resourceRules: 1, nonResourceRules: 2, incomplete: 3, evaluationError: 4 } },
);

export const selfSubjectRulesReviewSchema = kind(
  'io.cluster.authorization.v1.SelfSubjectRulesReview',
  {
    spec: use(
      struct(
        'io.cluster.authorization.v1.SelfSubjectRulesReviewSpec',
        {
          namespace: word('The namespace to look at. Required.'),
        },
        { numbers: { namespace: 1 } },
      ),
      { required: true, description: 'Where.' },
    ),
    status: use(RulesStatus, { description: 'The answer of the server.' }),
  },
  {
    description: 'Lists what who sends it may do in a namespace, for people to look at.',
    numbers: { spec: 2, status: 3 },
  },
);
