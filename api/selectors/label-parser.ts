import { fieldError, fieldErrorText, type FieldError } from '../field-error.ts';
import { labelValueErrors, qualifiedNameErrors } from '../names.ts';
import { LabelSelector, type ParsedSelector } from './labels.ts';
import { MAX_SELECTOR_TERMS, oversize, TOO_MANY_TERMS } from './limits.ts';
import { type LabelOperator, type LabelRequirement, parseInt64 } from './requirement.ts';

/**
 * Reads a label selector as queries carry it: `app in (web,api),env!=dev,!canary`.
 * Errors are worded as kube words them; they are the whole message of a 400.
 * Source: k8s.io/apimachinery pkg/labels.
 */
export function parseLabelSelector(text: string): ParsedSelector<LabelSelector> {
  const tooLong = oversize(text);
  if (tooLong !== undefined) return { error: tooLong };
  try {
    return { selector: LabelSelector.of(new Parser(text).parse()) };
  } catch (error) {
    if (error instanceof SyntaxFailure) return { error: error.message };
    throw error;
  }
}

/** Leaves the descent through the grammar; never leaves this file. */
class SyntaxFailure extends Error {}

interface Token {
  readonly kind: 'symbol' | 'word' | 'end';
  readonly text: string;
}

const TOKEN = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/y;
const END: Token = { kind: 'end', text: '' };

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [, symbol, word] = match;
    if (symbol !== undefined) found.push({ kind: 'symbol', text: symbol });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
  }
  return found;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    let token = this.#peek();
    if (token.kind === 'end') return requirements;
    if (!startsRequirement(token)) {
      throw found(token, ", expected: !, identifier, or 'end of string'");
    }
    for (;;) {
      if (requirements.length === MAX_SELECTOR_TERMS) throw new SyntaxFailure(TOO_MANY_TERMS);
      requirements.push(this.#requirement());
      token = this.#next();
      if (token.kind === 'end') return requirements;
      if (!isSymbol(token, ',')) throw found(token, ", expected: ',' or 'end of string'");
      token = this.#peek();
      if (!startsRequirement(token)) throw found(token, ", expected: identifier after ','");
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #requirement(): LabelRequirement {
    try {
      let token = this.#next();
      const isNegated = isSymbol(token, '!');
      if (isNegated) token = this.#next();
      if (token.kind !== 'word') throw found(token, ', expected: identifier');
      const key = token.text;
      refuse(keyErrors(key, ''));
      if (isNegated) return { key, operator: '!', values: [] };
      const after = this.#peek();
      if (after.kind === 'end' || isSymbol(after, ',')) {
        return { key, operator: 'exists', values: [] };
      }
      const operator = this.#operator();
      const isSet = operator === 'in' || operator === 'notin';
      const values = isSet ? this.#values() : [this.#exactValue()];
      refuse(valueErrors(key, operator, values));
      return { key, operator, values };
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      throw new SyntaxFailure(`unable to parse requirement: ${error.message}`);
    }
  }

  #operator(): LabelOperator {
    const token = this.#next();
    const operator = Object.hasOwn(OPERATORS, token.text) ? OPERATORS[token.text] : undefined;
    if (operator === undefined) throw found(token, ', expected: in, notin, =, ==, !=, gt, lt');
    return operator;
  }

  #exactValue(): string {
    const token = this.#peek();
    if (token.kind === 'end' || isSymbol(token, ',')) return '';
    this.#at++;
    if (token.kind !== 'word') throw found(token, ', expected: identifier');
    return token.text;
  }

  /** `(a,b)`; nothing between two commas, or between parenthesis and comma, is the empty value. */
  #values(): string[] {
    const open = this.#next();
    if (!isSymbol(open, '(')) throw found(open, " expected: '('");
    const values = new Set<string>();
    for (;;) {
      let token = this.#next();
      if (token.kind === 'word') {
        values.add(token.text);
        token = this.#next();
        if (!isSymbol(token, ',') && !isSymbol(token, ')')) {
          throw found(token, ", expected: ',' or ')'");
        }
      } else if (isSymbol(token, ',') || isSymbol(token, ')')) {
        values.add('');
      } else {
        throw found(token, ", expected: ',', ')' or identifier");
      }
      if (isSymbol(token, ')')) return [...values].sort();
    }
  }
}

function startsRequirement(token: Token): boolean {
  return token.kind === 'word' || isSymbol(token, '!');
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}

function found(token: Token, expected: string): SyntaxFailure {
  return new SyntaxFailure(`found '${token.text}'${expected}`);
}

function refuse(errors: readonly FieldError[]): void {
  const texts = [...new Set(errors.map(fieldErrorText))];
  if (texts.length === 1) throw new SyntaxFailure(texts.join(''));
  if (texts.length > 1) throw new SyntaxFailure(`[${texts.join(', ')}]`);
}

function keyErrors(key: string, path: string): FieldError[] {
  const errors = qualifiedNameErrors(key);
  return errors.length === 0 ? [] : [fieldError.invalid(path, key, errors.join('; '))];
}

function valueErrors(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && parseInt64(value) === undefined) {
      const why = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(fieldError.invalid(`values[${i}]`, value, why));
    }
  }
  for (const [i, value] of values.entries()) {
    const wrong = labelValueErrors(value);
    if (wrong.length > 0) {
      errors.push(fieldError.invalid(`values[${i}][${key}]`, value, wrong.join('; ')));
    }
  }
  return errors;
}
