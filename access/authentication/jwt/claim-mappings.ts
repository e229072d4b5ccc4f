import { getOwn, setOwn, type JsonObject, type JsonValue } from '../../../api/json.ts';
import { domainPrefixedPathErrors } from '../../../api/names.ts';
import type { UserInfo } from '../../../api/user.ts';
import { CredentialError } from '../authenticator.ts';
import { claimExpression, userExpression, type ClaimExpression } from './claim-expressions.ts';
import type { ClaimRule, JwtConfiguration, MappingConfiguration } from './configuration.ts';

/** The user that verified claims speak of. Throws CredentialError when they do not suffice. */
export type UserOfClaims = (claims: JsonObject) => UserInfo;

/** A rule throws CredentialError when it does not hold. */
type Rule = (input: JsonObject) => void;

/**
 * How claims become a user: rules on the claims, the parts of the user, rules on
 * the user. Source: behaviours 10.1.
 *
 * @throws Error that names the field when an expression cannot be compiled
 */
export function userOfClaims(jwt: JwtConfiguration, at: string): UserOfClaims {
  const { claimMappings: mappings, claimValidationRules = [], userValidationRules = [] } = jwt;
  const path = `${at}.claimMappings`;
  const claimRules = claimValidationRules.map((rule, i) =>
    claimRule(rule, `${at}.claimValidationRules.${i}`),
  );
  const username = usernameMapping(mappings.username, `${path}.username`);
  const groups = mapping(mappings.groups, `${path}.groups`);
  const uid = mapping(mappings.uid, `${path}.uid`);
  const extra = (mappings.extra ?? []).map(({ key, valueExpression }, i) => {
    if (domainPrefixedPathErrors(key).length > 0 || key !== key.toLowerCase()) {
      throw new Error(`${path}.extra.${i}.key must be a path with a domain, in lower case`);
    }
    return { key, value: claimExpression(valueExpression, `${path}.extra.${i}.valueExpression`) };
  });
  const userRules = userValidationRules.map(({ expression, message }, i) =>
    trueRule(userExpression(expression, `${at}.userValidationRules.${i}`), message ?? expression),
  );
  return (claims) => {
    for (const check of claimRules) check(claims);
    const name = username(claims);
    if (typeof name !== 'string' || name === '')
      throw new CredentialError('the token has no user name');
    const user: UserInfo = {
      name,
      uid: textOf(uid(claims), 'uid'),
      groups: textsOf(groups(claims), 'groups').filter((group) => group !== ''),
      extra: extraOf(extra, claims),
    };
    for (const check of userRules) check(userInput(user));
    return user;
  };
}

function usernameMapping(configuration: MappingConfiguration, at: string): ClaimExpression {
  const value = mapping(configuration, at);
  if (configuration.claim !== 'email') return value;
  return (claims) => {
    const verified = getOwn(claims, 'email_verified');
    if (verified !== undefined && verified !== true) {
      throw new CredentialError('the email address is not verified');
    }
    return value(claims);
  };
}

/** Null: the claim is not there. */
function mapping(configuration: MappingConfiguration | undefined, at: string): ClaimExpression {
  const { claim = '', prefix = '', expression = '' } = configuration ?? {};
  if (expression !== '') return claimExpression(expression, `${at}.expression`);
  if (claim === '') return () => null;
  return (claims) => withPrefix(getOwn(claims, claim) ?? null, prefix);
}

function withPrefix(value: JsonValue, prefix: string): JsonValue {
  if (typeof value === 'string') return value === '' ? '' : prefix + value;
  return Array.isArray(value) ? value.map((item) => withPrefix(item, prefix)) : value;
}

function extraOf(
  extra: readonly { key: string; value: ClaimExpression }[],
  claims: JsonObject,
): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const { key, value } of extra) {
    const texts = textsOf(value(claims), key).filter((text) => text !== '');
    if (texts.length > 0) setOwn(all, key, texts);
  }
  return all;
}

function textOf(value: JsonValue, what: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw new CredentialError(`the ${what} is not a string`);
}

/** One text, several, or none. */
function textsOf(value: JsonValue, what: string): string[] {
  if (value === null || value === '') return [];
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item === 'string') return item;
    throw new CredentialError(`the ${what} are not strings`);
  });
}

function claimRule(rule: ClaimRule, at: string): Rule {
  const { claim = '', requiredValue = '', expression = '', message } = rule;
  if (expression !== '') return trueRule(claimExpression(expression, at), message ?? expression);
  return (claims) => {
    if (getOwn(claims, claim) === requiredValue) return;
    throw new CredentialError(
      `the claim ${JSON.stringify(claim)} does not have the required value`,
    );
  };
}

function trueRule(expression: ClaimExpression, message: string): Rule {
  return (input) => {
    if (expression(input) !== true) throw new CredentialError(message);
  };
}

function userInput({ name, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [
    key,
    [...values],
  ]);
  return { username: name, uid, groups: [...groups], extra: Object.fromEntries(entries) };
}
