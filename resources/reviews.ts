import {
  selfSubjectReviewDefinition,
  tokenReviewDefinition,
} from './authentication/identity-reviews.ts';
import {
  localSubjectAccessReviewDefinition,
  selfSubjectAccessReviewDefinition,
  selfSubjectRulesReviewDefinition,
  subjectAccessReviewDefinition,
} from './authorization/access-reviews.ts';
import type { ResourceDefinition } from './definition.ts';

/** Kinds that are answered and never stored. */
export const REVIEW_DEFINITIONS: readonly ResourceDefinition[] = [
  selfSubjectReviewDefinition,
  tokenReviewDefinition,
  localSubjectAccessReviewDefinition,
  selfSubjectAccessReviewDefinition,
  selfSubjectRulesReviewDefinition,
  subjectAccessReviewDefinition,
];
