import { getOwn, isObject, type JsonObject } from '../../../api/json.ts';
import { BOOL, listType, mapType, STRING, structType } from '../../../cel/value/type.ts';
import { fromJson } from '../../../cel/value/json.ts';
import {
  ConfiguredExpressions,
  type ConfiguredExpression,
} from '../../../config/configured-expressions.ts';
import type { CelType } from '../../../cel/value/cel-type.ts';

const TEXTS = listType(STRING);
const struct = (name: string, fields: Readonly<Record<string, CelType>>): CelType => {
  const types = new Map(Object.entries(fields));
  return structType(`kubernetes.${name}`, (field) => types.get(field));
};
const REQUIREMENT = struct('SelectorRequirement', { key: STRING, operator: STRING, values: TEXTS });
const SELECTOR = { rawSelector: STRING, requirements: listType(REQUIREMENT) };
const REQUEST = struct('SubjectAccessReviewSpec', {
  resourceAttributes: struct('ResourceAttributes', {
    namespace: STRING,
    verb: STRING,
    group: STRING,
    version: STRING,
    resource: STRING,
    subresource: STRING,
    name: STRING,
    fieldSelector: struct('FieldSelectorAttributes', SELECTOR),
    labelSelector: struct('LabelSelectorAttributes', SELECTOR),
  }),
  nonResourceAttributes: struct('NonResourceAttributes', { path: STRING, verb: STRING }),
  user: STRING,
  groups: TEXTS,
  extra: mapType(STRING, TEXTS),
  uid: STRING,
});
const EXPRESSIONS = new ConfiguredExpressions('request', REQUEST);

/** Texts that a condition finds empty rather than absent. */
const RESOURCE_TEXTS = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

/**
 * Which requests a webhook is asked about: those for which every condition
 * holds. One that does not hold decides, whatever goes wrong in another.
 *
 * Source: apiserver pkg/authorization/cel; behaviours 10.4.
 */
export class MatchConditions {
  readonly #conditions: readonly {
    readonly text: string;
    readonly evaluate: ConfiguredExpression;
  }[];

  /** @throws Error that names the expression which cannot be used */
  constructor(expressions: readonly string[], at: string) {
    const seen = new Set<string>();
    this.#conditions = expressions.map((text, i) => {
      const place = `${at}.${i}.expression`;
      if (text.trim() === '') throw new Error(`${place} is required`);
      if (seen.has(text)) throw new Error(`${place} occurs twice`);
      seen.add(text);
      return { text, evaluate: EXPRESSIONS.compile(text, place, { result: BOOL }) };
    });
  }

  /**
   * @param spec of the SubjectAccessReview that the webhook would be sent
   * @throws Error when a condition has no value, and none is false
   */
  match(spec: JsonObject): boolean {
    if (this.#conditions.length === 0) return true;
    const request = fromJson(completed(spec));
    let problem: string | undefined;
    for (const { text, evaluate } of this.#conditions) {
      const outcome = evaluate(request);
      if (outcome.ok && outcome.value === false) return false;
      if (!outcome.ok) problem ??= `the condition ${JSON.stringify(text)}: ${outcome.message}`;
    }
    if (problem !== undefined) throw new Error(problem);
    return true;
  }
}

/** With the empty texts and lists that a review leaves out. */
function completed(spec: JsonObject): JsonObject {
  const resource = getOwn(spec, 'resourceAttributes');
  const attributes = isObject(resource)
    ? {
        resourceAttributes: {
          ...Object.fromEntries(RESOURCE_TEXTS.map((name) => [name, ''])),
          ...resource,
        },
      }
    : {};
  return { user: '', groups: [], uid: '', extra: {}, ...spec, ...attributes };
}
