import { message } from './message.ts';
import { LabelSelector, ObjectMeta } from './meta-messages.ts';

const PolicyRule = message({
  verbs: [1, 'string', 'many'],
  apiGroups: [2, 'string', 'many'],
  resources: [3, 'string', 'many'],
  resourceNames: [4, 'string', 'many'],
  nonResourceURLs: [5, 'string', 'many'],
});

const Subject = message({
  kind: [1, 'string'],
  apiGroup: [2, 'string'],
  name: [3, 'string'],
  namespace: [4, 'string'],
});

const RoleRef = message({ apiGroup: [1, 'string'], kind: [2, 'string'], name: [3, 'string'] });

export const Role = message({ metadata: [1, ObjectMeta], rules: [2, PolicyRule, 'many'] });

export const ClusterRole = message({
  metadata: [1, ObjectMeta],
  rules: [2, PolicyRule, 'many'],
  aggregationRule: [3, message({ clusterRoleSelectors: [1, LabelSelector, 'many'] })],
});

/** The one of a ClusterRole is the same. */
export const RoleBinding = message({
  metadata: [1, ObjectMeta],
  subjects: [2, Subject, 'many'],
  roleRef: [3, RoleRef],
});
