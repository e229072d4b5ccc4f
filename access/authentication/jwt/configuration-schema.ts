/** The shape of an AuthenticationConfiguration; what its parts mean is checked by configuration.ts. */

const text = { type: 'string' };
const prefixed = {
  type: 'object',
  additionalProperties: false,
  properties: { claim: text, prefix: text, expression: text },
};
const message = text;

const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const listOf = (items: object, maxItems: number): object => ({ type: 'array', items, maxItems });

/** Issuers, and rules of one issuer. */
const MAX_ISSUERS = 64;
const MAX_RULES = 64;

const issuer = object(
  {
    url: text,
    discoveryURL: text,
    certificateAuthority: text,
    audiences: { ...listOf(text, MAX_RULES), minItems: 1 },
    audienceMatchPolicy: { enum: ['', 'MatchAny'] },
  },
  ['url', 'audiences'],
);

const claimMappings = object(
  {
    username: prefixed,
    groups: prefixed,
    uid: object({ claim: text, expression: text }),
    extra: listOf(object({ key: text, valueExpression: text }, ['key', 'valueExpression']), 32),
  },
  ['username'],
);

export const AUTHENTICATION_CONFIGURATION_SCHEMA = object(
  {
    apiVersion: text,
    kind: { const: 'AuthenticationConfiguration' },
    jwt: listOf(
      object(
        {
          issuer,
          claimMappings,
          claimValidationRules: listOf(
            object({ claim: text, requiredValue: text, expression: text, message }),
            MAX_RULES,
          ),
          userValidationRules: listOf(
            object({ expression: text, message }, ['expression']),
            MAX_RULES,
          ),
        },
        ['issuer', 'claimMappings'],
      ),
      MAX_ISSUERS,
    ),
    anonymous: object(
      { enabled: { type: 'boolean' }, conditions: listOf(object({ path: text }, ['path']), 1_000) },
      ['enabled'],
    ),
  },
  ['apiVersion', 'kind'],
);
