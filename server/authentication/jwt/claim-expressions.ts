import { API_ENVIRONMENT } from '../../../cel/environments.ts';
import type { Environment } from '../../../cel/environment.ts';
import {
  ANY,
  listType,
  mapType,
  STRING,
  structType,
  type CelType,
} from '../../../cel/types/type.ts';
import { fromJson, toJson } from '../../../cel/value/json.ts';
import { CelError } from '../../../cel/value/value.ts';
import type { JsonObject, JsonValue } from '../../../api/json.ts';
import { CredentialError } from '../authenticator.ts';

/** Steps that one expression may take; claims are small. */
const MAX_COST = 1_000_000;

const USER_FIELDS = new Map<string, CelType>([
  ['username', STRING],
  ['uid', STRING],
  ['groups', listType(STRING)],
  ['extra', mapType(STRING, listType(STRING))],
]);
const USER = structType('kubernetes.UserInfo', (name) => USER_FIELDS.get(name));

const CLAIMS_ENVIRONMENT = API_ENVIRONMENT.extend({
  variables: { claims: mapType(STRING, ANY) },
});
const USER_ENVIRONMENT = API_ENVIRONMENT.extend({ variables: { user: USER } });

/** An expression over the claims of a token, or over the user that came of it. */
export type ClaimExpression = (input: JsonObject) => JsonValue;

/** @throws Error when the expression cannot be compiled */
export function claimExpression(text: string, at: string): ClaimExpression {
  return compiled(CLAIMS_ENVIRONMENT, 'claims', text, at);
}

/** @throws Error when the expression cannot be compiled */
export function userExpression(text: string, at: string): ClaimExpression {
  return compiled(USER_ENVIRONMENT, 'user', text, at);
}

/** The result throws CredentialError where the expression has no value. */
function compiled(
  environment: Environment,
  variable: string,
  text: string,
  at: string,
): ClaimExpression {
  const result = environment.compile(text);
  if (!result.ok) throw new Error(`${at}: ${result.message.split('\n').join(' ')}`);
  const { program } = result;
  return (input) => {
    const value = fromJson(input);
    const bindings = { get: (name: string) => (name === variable ? value : undefined) };
    const outcome = program.evaluate(bindings, { limit: MAX_COST });
    if (!outcome.ok) throw new CredentialError(`${at}: ${outcome.message}`);
    const json = toJson(outcome.value);
    if (json instanceof CelError) throw new CredentialError(`${at}: ${json.message}`);
    return json;
  };
}
