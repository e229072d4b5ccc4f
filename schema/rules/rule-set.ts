import { API_ENVIRONMENT } from '../../cel/environments.ts';
import type { PatternBudget } from '../../cel/value/pattern-budget.ts';
import { atOnce, type Steps } from '../../api/steps.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';
import { compileRules, type CompiledRule } from './compiled-rule.ts';
import { TypeDeclarer } from './declared-type.ts';

/**
 * A node of a schema that has rules, or under which there are any, with the
 * rules compiled. What has none below it is left out.
 */
export interface RuleNode {
  readonly schema: StructuralSchema;
  /** The node describes an object of the API. */
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  /** Fewest bytes of a value in JSON; undefined for nodes without rules, or whose values rules cannot see. */
  readonly minBytes: number | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly additionalProperties: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** The rules of a schema; undefined when it has none. Costs what compiling them costs: keep it. */
export function buildRules(schema: StructuralSchema): RuleNode | undefined {
  return atOnce(new RuleBuilder().build(schema, true));
}

/** Compiles the rules of a schema or of parts of it, those of each node once; with a step for each rule. */
export class RuleBuilder {
  readonly #declarer = new TypeDeclarer();
  readonly #nodes = new Map<StructuralSchema, RuleNode>();
  readonly #patterns: PatternBudget | undefined;

  /** `patterns`: given where rules are checked before they are stored, and what they cost is of interest. */
  constructor(patterns?: PatternBudget) {
    this.#patterns = patterns;
  }

  *build(schema: StructuralSchema, isResource = schema.embedded): Steps<RuleNode | undefined> {
    if ((schema.contains & CONTAINS.rules) === 0) return undefined;
    let node = this.#nodes.get(schema);
    if (node?.isResource !== isResource) {
      node = yield* this.#make(schema, isResource);
      this.#nodes.set(schema, node);
    }
    return node;
  }

  *#make(schema: StructuralSchema, isResource: boolean): Steps<RuleNode> {
    yield;
    const own = schema.rules.length > 0;
    const declared = own ? this.#declarer.declare(schema, isResource) : undefined;
    const properties = new Map<string, RuleNode>();
    for (const [name, property] of schema.properties ?? []) {
      const node = yield* this.build(property);
      if (node !== undefined) properties.set(name, node);
    }
    const { additionalProperties: others, items } = schema;
    return {
      schema,
      isResource,
      rules:
        declared === undefined
          ? []
          : yield* compileRules(schema, declared, API_ENVIRONMENT, this.#patterns),
      minBytes: declared?.minBytes,
      properties,
      additionalProperties: typeof others === 'object' ? yield* this.build(others) : undefined,
      items: items && (yield* this.build(items)),
    };
  }
}
