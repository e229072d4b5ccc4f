import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { userOfClaims } from './claim-mappings.ts';
import { parseAuthenticationConfiguration } from './configuration.ts';

const issuer = { url: 'https://issuer.example.com', audiences: ['a'] };
const username = { claim: 'sub', prefix: '' };
const jwt = (fields: object): object => ({ issuer, claimMappings: { username }, ...fields });
const parse = (fields: object): unknown =>
  parseAuthenticationConfiguration(
    stringify({
      apiVersion: 'apiserver.config.cluster.io/v1',
      kind: 'AuthenticationConfiguration',
      ...fields,
    }),
  );

describe('the authentication configuration', () => {
  it('is read in either spelling of its group', () => {
    assert.ok(parse({}));
    assert.ok(parse({ apiVersion: 'apiserver.config.k8s.io/v1beta1', jwt: [jwt({})] }));
  });

  const wrong: Record<string, [object, RegExp]> = {
    'another version': [{ apiVersion: 'v1' }, /apiVersion/],
    'another kind': [{ kind: 'Configuration' }, /^kind /],
    'an unknown field': [{ jwt: [jwt({ rules: [] })] }, /^jwt\.0 /],
    'an issuer without audiences': [
      { jwt: [jwt({ issuer: { ...issuer, audiences: [] } })] },
      /^jwt\.0\.issuer\.audiences /,
    ],
    'an issuer without encryption': [
      { jwt: [jwt({ issuer: { ...issuer, url: 'http://a' } })] },
      /^jwt\.0\.issuer\.url must be an https URL/,
    ],
    'a password in the URL': [
      { jwt: [jwt({ issuer: { ...issuer, url: 'https://a:b@c' } })] },
      /^jwt\.0\.issuer\.url must not contain a password/,
    ],
    'the same issuer twice': [{ jwt: [jwt({}), jwt({})] }, /^jwt\.1\.issuer\.url occurs twice/],
    'a discovery that is that of the issuer': [
      { jwt: [jwt({ issuer: { ...issuer, discoveryURL: `${issuer.url}/` } })] },
      /^jwt\.0\.issuer\.discoveryURL/,
    ],
    'the token has no user name': [
      { jwt: [jwt({ claimMappings: { username: {} } })] },
      /^jwt\.0\.claimMappings\.username must have/,
    ],
    'a claim without a word on its prefix': [
      { jwt: [jwt({ claimMappings: { username: { claim: 'sub' } } })] },
      /^jwt\.0\.claimMappings\.username\.prefix is required/,
    ],
    'both a claim and an expression': [
      { jwt: [jwt({ claimMappings: { username: { ...username, expression: 'claims.sub' } } })] },
      /^jwt\.0\.claimMappings\.username must not have both/,
    ],
    'an address of mail that need not be verified': [
      { jwt: [jwt({ claimMappings: { username: { expression: 'claims.email' } } })] },
      /email_verified/,
    ],
    'a rule about nothing': [
      { jwt: [jwt({ claimValidationRules: [{ message: 'x' }] })] },
      /^jwt\.0\.claimValidationRules\.0 must have/,
    ],
  };
  for (const [what, [fields, message]] of Object.entries(wrong)) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => parse(fields), { message });
    });
  }

  it('is refused with expressions that cannot be compiled, by their place', () => {
    const bad = { issuer, claimMappings: { username: { expression: 'claims.' } } };
    assert.throws(() => userOfClaims(bad, 'jwt.0'), {
      message: /^jwt\.0\.claimMappings\.username\.expression: /,
    });
    const unknown = {
      issuer,
      claimMappings: { username },
      userValidationRules: [{ expression: 'user.nonsense == 1' }],
    };
    assert.throws(() => userOfClaims(unknown, 'jwt.0'), {
      message: /^jwt\.0\.userValidationRules\.0: .*nonsense/,
    });
  });

  it('is refused when a key occurs twice, and when it is another kind', () => {
    assert.throws(() => parseAuthenticationConfiguration('kind: a\nkind: b\n'));
    assert.throws(() => parseAuthenticationConfiguration('[]'));
    assert.throws(() => parseAuthenticationConfiguration('a: ['));
  });
});
