import { ANY, listType, mapType, STRING, structType } from '../../../cel/value/type.ts';
import { fromJson, toJson } from '../../../cel/value/json.ts';
import { CelError } from '../../../cel/value/value.ts';
import type { JsonObject, JsonValue } from '../../../api/json.ts';
import { ConfiguredExpressions } from '../../../config/configured-expressions.ts';
import { CredentialError } from '../authenticator.ts';
import type { CelType } from '../../../cel/value/cel-type.ts';

const USER_FIELDS = new Map<string, CelType>([
  ['username', STRING],
  ['uid', STRING],
  ['groups', listType(STRING)],
  ['extra', mapType(STRING, listType(STRING))],
]);
const USER = structType('kubernetes.UserInfo', (name) => USER_FIELDS.get(name));

const OF_CLAIMS = new ConfiguredExpressions('claims', mapType(STRING, ANY));
const OF_USER = new ConfiguredExpressions('user', USER);

/** An expression over the claims of a token, or over the user that came of it. */
export type ClaimExpression = (input: JsonObject) => JsonValue;

/** @throws Error when the expression cannot be compiled */
export function claimExpression(text: string, at: string): ClaimExpression {
  return compiled(OF_CLAIMS, text, at);
}

/** @throws Error when the expression cannot be compiled */
export function userExpression(text: string, at: string): ClaimExpression {
  return compiled(OF_USER, text, at);
}

/** The result throws CredentialError where the expression has no value. */
function compiled(expressions: ConfiguredExpressions, text: string, at: string): ClaimExpression {
  const evaluate = expressions.compile(text, at);
  return (input) => {
    const outcome = evaluate(fromJson(input));
    if (!outcome.ok) throw new CredentialError(`${at}: ${outcome.message}`);
    const json = toJson(outcome.value);
    if (json instanceof CelError) throw new CredentialError(`${at}: ${json.message}`);
    return json;
  };
}
