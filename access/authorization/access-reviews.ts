import { badRequest } from '../../api/api-error.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import type { UserInfo } from '../../api/user.ts';
import type { Question, Reviewer } from '../reviews.ts';
import type { AuthorizationDecision, Authorizer } from './authorizer.ts';
import { askedBy, subjectOf } from './review-attributes.ts';

/** Answers access reviews, by resource. Source: behaviours 10.6. */
export function accessReviewers(authorizer: Authorizer): Readonly<Record<string, Reviewer>> {
  const ofSubject: Reviewer = (review) => decided(authorizer, review, subjectOf(specOf(review)));
  return {
    subjectaccessreviews: ofSubject,
    localsubjectaccessreviews: ofSubject,
    selfsubjectaccessreviews: (review, { user }) => decided(authorizer, review, user),
    selfsubjectrulesreviews: (review, question) => rulesOf(authorizer, review, question),
  };
}

async function decided(
  authorizer: Authorizer,
  review: ApiObject,
  user: UserInfo,
): Promise<ApiObject> {
  const { attributes, errors } = askedBy(specOf(review), user);
  const decision = await authorizer.authorize(attributes);
  return { ...review, status: statusOf(decision, errors) };
}

function statusOf(
  { decision, reason, error }: AuthorizationDecision,
  errors: readonly string[],
): JsonObject {
  const problems = [...errors, ...(error === undefined ? [] : [error])];
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(problems.length === 0 ? {} : { evaluationError: problems.join('; ') }),
  };
}

function rulesOf(authorizer: Authorizer, review: ApiObject, { user }: Question): ApiObject {
  const namespace = getPath(review, 'spec', 'namespace') ?? '';
  if (typeof namespace !== 'string' || namespace === '')
    throw badRequest('no namespace on request');
  const rules = authorizer.rulesFor(user, namespace);
  const { resourceRules = [], pathRules = [], incomplete = true, errors = [] } = rules ?? {};
  return {
    ...review,
    status: {
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs: [...verbs],
        apiGroups: [...apiGroups],
        resources: [...resources],
        ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
      })),
      nonResourceRules: pathRules.map(({ verbs, nonResourceURLs }) => ({
        verbs: [...verbs],
        nonResourceURLs: [...nonResourceURLs],
      })),
      incomplete,
      ...(errors.length === 0 ? {} : { evaluationError: errors.join('; ') }),
    },
  };
}

function specOf({ spec }: JsonObject): JsonObject {
  return isObject(spec) ? spec : {};
}
