/** The shape of an AuthorizationConfiguration; what its parts mean is checked by configuration.ts. */

const text = { type: 'string' };
const flag = { type: 'boolean' };

const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

const MAX_AUTHORIZERS = 64;
/** Of one webhook. */
const MAX_CONDITIONS = 64;

const webhook = object(
  {
    authorizedTTL: text,
    cacheAuthorizedRequests: flag,
    unauthorizedTTL: text,
    cacheUnauthorizedRequests: flag,
    timeout: text,
    subjectAccessReviewVersion: { const: 'v1' },
    matchConditionSubjectAccessReviewVersion: { const: 'v1' },
    failurePolicy: { enum: ['NoOpinion', 'Deny'] },
    connectionInfo: object({ type: { const: 'KubeConfigFile' }, kubeConfigFile: text }, [
      'type',
      'kubeConfigFile',
    ]),
    matchConditions: {
      type: 'array',
      items: object({ expression: text }, ['expression']),
      maxItems: MAX_CONDITIONS,
    },
  },
  ['timeout', 'subjectAccessReviewVersion', 'failurePolicy', 'connectionInfo'],
);

export const AUTHORIZATION_CONFIGURATION_SCHEMA = object(
  {
    apiVersion: text,
    kind: { const: 'AuthorizationConfiguration' },
    authorizers: {
      type: 'array',
      items: object({ type: text, name: text, webhook }, ['type', 'name']),
      minItems: 1,
      maxItems: MAX_AUTHORIZERS,
    },
  },
  ['apiVersion', 'kind', 'authorizers'],
);
