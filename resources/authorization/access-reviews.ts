import { rulesReviewNames } from '../named-groups.ts';
import { reviewDefinition } from '../review-definition.ts';
import {
  validateLocalReview,
  validateSelfReview,
  validateSubjectReview,
} from './access-review-rules.ts';
import {
  localSubjectAccessReviewSchema,
  selfSubjectAccessReviewSchema,
  selfSubjectRulesReviewSchema,
  subjectAccessReviewSchema,
} from './access-review-schema.ts';

const AUTHORIZATION_GROUP = 'authorization.cluster.io';
const group = AUTHORIZATION_GROUP;

export const localSubjectAccessReviewDefinition = reviewDefinition({
  group,
  kind: 'LocalSubjectAccessReview',
  namespaced: true,
  schema: localSubjectAccessReviewSchema,
  validate: validateLocalReview,
});

export const selfSubjectAccessReviewDefinition = reviewDefinition({
  group,
  kind: 'SelfSubjectAccessReview',
  schema: selfSubjectAccessReviewSchema,
  validate: validateSelfReview,
});

export const selfSubjectRulesReviewDefinition = reviewDefinition({
  group,
  kind: 'SelfSubjectRulesReview',
  schema: selfSubjectRulesReviewSchema,
  renamed: rulesReviewNames,
});

export const subjectAccessReviewDefinition = reviewDefinition({
  group,
  kind: 'SubjectAccessReview',
  schema: subjectAccessReviewSchema,
  validate: validateSubjectReview,
});
