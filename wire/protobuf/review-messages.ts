import { message } from './message.ts';
import { kind, SelectorRequirement } from './meta-messages.ts';

const SelectorAttributes = message({
  rawSelector: [1, 'string'],
  requirements: [2, SelectorRequirement, 'many'],
});

const ResourceAttributes = message({
  namespace: [1, 'string'],
  verb: [2, 'string'],
  group: [3, 'string'],
  version: [4, 'string'],
  resource: [5, 'string'],
  subresource: [6, 'string'],
  name: [7, 'string'],
  fieldSelector: [8, SelectorAttributes],
  labelSelector: [9, SelectorAttributes],
});

const NonResourceAttributes = message({ path: [1, 'string'], verb: [2, 'string'] });

const AccessReviewStatus = message({
  allowed: [1, 'bool'],
  denied: [4, 'bool'],
  reason: [2, 'string'],
  evaluationError: [3, 'string'],
});

export const SelfSubjectAccessReview = kind(
  message({
    resourceAttributes: [1, ResourceAttributes],
    nonResourceAttributes: [2, NonResourceAttributes],
  }),
  AccessReviewStatus,
);

/** The local one is the same. */
export const SubjectAccessReview = kind(
  message({
    resourceAttributes: [1, ResourceAttributes],
    nonResourceAttributes: [2, NonResourceAttributes],
    user: [3, 'string'],
    groups: [4, 'string', 'many'],
    extra: [5, 'texts', 'map'],
    uid: [6, 'string'],
  }),
  AccessReviewStatus,
);

export const SelfSubjectRulesReview = kind(
  message({ namespace: [1, 'string'] }),
  message({
    resourceRules: [
      1,
      message({
        verbs: [1, 'string', 'many'],
        apiGroups: [2, 'string', 'many'],
        resources: [3, 'string', 'many'],
        resourceNames: [4, 'string', 'many'],
      }),
      'many',
    ],
    nonResourceRules: [
      2,
      message({ verbs: [1, 'string', 'many'], nonResourceURLs: [2, 'string', 'many'] }),
      'many',
    ],
    incomplete: [3, 'bool'],
    evaluationError: [4, 'string'],
  }),
);

const UserInfo = message({
  username: [1, 'string'],
  uid: [2, 'string'],
  groups: [3, 'string', 'many'],
  extra: [4, 'texts', 'map'],
});

export const SelfSubjectReview = kind(undefined, message({ userInfo: [1, UserInfo] }));

export const TokenReview = kind(
  message({ token: [1, 'string'], audiences: [2, 'string', 'many'] }),
  message({
    authenticated: [1, 'bool'],
    user: [2, UserInfo],
    audiences: [4, 'string', 'many'],
    error: [3, 'string'],
  }),
);
