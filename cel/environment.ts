import { atOnce, type Steps } from '../api/steps.ts';
import { check } from './check/checker.ts';
import type { CheckedExpression } from './check/checked.ts';
import type { Declaration, Declarations } from './check/scope.ts';
import { validate } from './validate.ts';
import type { CelIssue } from './issue.ts';
import type { Library, Validator } from './libraries/library.ts';
import { excessivePattern } from './libraries/literal-patterns.ts';
import { STANDARD_LIBRARY } from './libraries/standard.ts';
import { PlanError } from './plan/plan.ts';
import { compile, type StructFactories } from './plan/planner.ts';
import { Program } from './program.ts';
import { macroTable } from './syntax/macro.ts';
import { parse, type ParsedExpression } from './syntax/parser.ts';
import type { ParserOptions } from './syntax/primary-parser.ts';
import { functionTable, type FunctionDeclaration } from './types/declaration.ts';
import { formatType, sameType } from './value/type.ts';
import type { PatternBudget } from './value/pattern-budget.ts';
import type { CelType } from './value/cel-type.ts';

/** Struct types that expressions may construct with `Name{field: value}`. */
export interface StructTypes {
  find: (name: string) => CelType | undefined;
  factory: StructFactories;
}

interface EnvironmentOptions {
  /** In addition to the standard library; later ones replace macros of earlier ones. */
  libraries?: readonly Library[];
  variables?: Readonly<Record<string, CelType>>;
  /** Namespace in which names are looked up first. */
  container?: string;
  structs?: StructTypes;
  /** Whether lists and maps may be written with parts of different types. */
  mixedLiterals?: boolean;
}

/** A compiled expression, or why it could not be compiled. */
export type Compilation =
  | { ok: true; program: Program; checked: CheckedExpression; type: CelType }
  | {
      ok: false;
      /** Which phase failed: reading and checking, the wanted result, or a constant part. */
      phase: 'check' | 'result' | 'program';
      /** One text with everything that is wrong, as CEL tools print it. */
      message: string;
      issues: readonly CelIssue[];
    };

export interface CompileOptions {
  /** The type the expression must have. */
  result?: CelType;
  /** Counts the patterns that the expression is written with, whatever becomes of it otherwise. */
  patterns?: PatternBudget | undefined;
}

const NO_STRUCTS: StructTypes = { find: () => undefined, factory: () => undefined };

/** What the libraries of an environment give; shared by all environments with the same ones. */
interface Tables {
  libraries: readonly Library[];
  parser: ParserOptions;
  validators: readonly Validator[];
  functions: ReadonlyMap<string, FunctionDeclaration>;
  constants: ReadonlyMap<string, Declaration>;
}

/** Functions, macros and variables that expressions of one kind may use. Never changes. */
export class Environment {
  readonly #tables: Tables;
  readonly #variables: ReadonlyMap<string, Declaration>;
  readonly #options: EnvironmentOptions;
  readonly #declarations: Declarations;
  readonly #structs: StructTypes;

  private constructor(
    tables: Tables,
    variables: ReadonlyMap<string, Declaration>,
    options: EnvironmentOptions,
  ) {
    this.#tables = tables;
    this.#variables = variables;
    this.#options = options;
    this.#structs = options.structs ?? NO_STRUCTS;
    this.#declarations = {
      container: options.container ?? '',
      variable: (name) => variables.get(name) ?? tables.constants.get(name),
      functions: tables.functions,
      struct: this.#structs.find,
    };
  }

  static create(options: EnvironmentOptions = {}): Environment {
    const tables = makeTables([STANDARD_LIBRARY, ...(options.libraries ?? [])]);
    return new Environment(tables, variableTable(options.variables ?? {}), options);
  }

  /** This environment with more in it. Cheap when no library is added: the tables are shared. */
  extend(options: EnvironmentOptions): Environment {
    const added = options.libraries ?? [];
    const tables =
      added.length === 0 ? this.#tables : makeTables([...this.#tables.libraries, ...added]);
    const variables = variableTable(options.variables ?? {}, this.#variables);
    return new Environment(tables, variables, { ...this.#options, ...options });
  }

  get declarations(): Declarations {
    return this.#declarations;
  }

  parse(source: string): ParsedExpression {
    return parse(source, this.#tables.parser);
  }

  /** Parses, checks and compiles. Never throws for what an author can get wrong. */
  compile(source: string, options: CompileOptions = {}): Compilation {
    return atOnce(this.compileSteps(source, options));
  }

  /** {@link compile} in steps, one for each phase: none of them takes long, however large the expression. */
  *compileSteps(source: string, options: CompileOptions = {}): Steps<Compilation> {
    const parsed = this.parse(source);
    yield;
    const checked = check(parsed, this.#declarations);
    yield;
    if (checked !== undefined) this.#validate(checked, options.patterns);
    if (checked === undefined || parsed.issues.count > 0) {
      const { issues } = parsed;
      return { ok: false, phase: 'check', message: issues.toString(), issues: issues.sorted() };
    }
    if (options.result !== undefined && !sameType(options.result, checked.type)) {
      const message = `must evaluate to ${formatType(options.result)}, not ${formatType(checked.type)}`;
      return { ok: false, phase: 'result', message, issues: [] };
    }
    yield;
    return this.plan(checked);
  }

  #validate(checked: CheckedExpression, patterns: PatternBudget | undefined): void {
    // before anything compiles them
    const excessive = excessivePattern(checked, patterns);
    if (excessive !== undefined) {
      const { issues, offsets } = checked.parsed;
      issues.report(
        offsets[excessive.id] ?? 0,
        'the patterns of this expression would take too long to compile',
      );
      return;
    }
    const { validators, libraries } = this.#tables;
    validate(checked, validators, this.#options.mixedLiterals === true, libraries);
  }

  /** Compiles what has been checked already. */
  plan(checked: CheckedExpression): Compilation {
    try {
      const program = new Program(compile(checked, this.#structs.factory));
      return { ok: true, program, checked, type: checked.type };
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      return { ok: false, phase: 'program', message: error.message, issues: [] };
    }
  }
}

function makeTables(libraries: readonly Library[]): Tables {
  const constants = new Map<string, Declaration>();
  for (const { name, type, value } of libraries.flatMap(({ constants: own }) => own ?? [])) {
    constants.set(name, { type, value });
  }
  return {
    libraries,
    parser: {
      macros: macroTable(libraries.flatMap(({ macros }) => macros ?? [])),
      optionalSyntax: libraries.some(({ optionalSyntax }) => optionalSyntax === true),
    },
    validators: libraries.flatMap(({ validators }) => validators ?? []),
    functions: functionTable(libraries.flatMap(({ functions }) => functions ?? [])),
    constants,
  };
}

function variableTable(
  variables: Readonly<Record<string, CelType>>,
  base?: ReadonlyMap<string, Declaration>,
): ReadonlyMap<string, Declaration> {
  const table = new Map<string, Declaration>(base);
  for (const [name, type] of Object.entries(variables)) table.set(name, { type });
  return table;
}
