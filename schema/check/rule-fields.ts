import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { extensionKey, readExtension } from '../extension-keys.ts';
import { parseFieldPath } from '../field-path-syntax.ts';
import { schemaSteps } from '../from-json.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { textOf } from './json-node.ts';
import type { Report } from './report.ts';

const RULE_REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * What can be said of the rules of a node without compiling them. `known`: the
 * node, if it has been built already.
 * Source: specification 3, section 2.1, ValidationRule.
 */
export function* checkRuleFields(
  node: JsonObject,
  known: StructuralSchema | undefined,
  path: FieldPath,
  report: Report,
): Steps<void> {
  const rules = readExtension(node, 'validations');
  if (!Array.isArray(rules)) return;
  const at = path.child(extensionKey('validations'));
  let schema = known;
  for (const [i, rule] of rules.entries()) {
    if (!isObject(rule)) continue;
    yield;
    checkRule(rule, at.index(i), report);
    const fieldPath = textOf(rule, 'fieldPath');
    if (fieldPath === '') continue;
    // once for all rules of the node, which may be as many as the node has properties
    schema ??= yield* schemaSteps(node);
    checkFieldPath(fieldPath, schema, at.index(i).child('fieldPath'), report);
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

function checkRule(rule: JsonObject, path: FieldPath, report: Report): void {
  checkMessage(rule, path, report);
  const messageExpression = textOf(rule, 'messageExpression');
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'messageExpression must be non-empty if specified';
    report.add(fieldError.required(path.child('messageExpression'), why));
  }
  const reason = getOwn(rule, 'reason') ?? undefined;
  if (reason !== undefined && !(typeof reason === 'string' && RULE_REASONS.includes(reason))) {
    report.add(fieldError.notSupported(path.child('reason'), reason, RULE_REASONS));
  }
}

/** A message is one line, and a rule of several lines needs one. Only the first problem is reported. */
function checkMessage(rule: JsonObject, path: FieldPath, report: Report): void {
  const text = textOf(rule, 'rule').trim();
  const message = textOf(rule, 'message');
  const at = path.child('message');
  if (text === '') {
    report.add(fieldError.required(path.child('rule'), 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    report.add(fieldError.invalid(at, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    report.add(fieldError.invalid(at, message, 'must not contain line breaks'));
  } else if (hasLineBreak(text) && message === '') {
    const why = 'message must be specified if rule contains line breaks';
    report.add(fieldError.required(at, why));
  }
}

function checkFieldPath(
  fieldPath: string,
  schema: StructuralSchema,
  path: FieldPath,
  report: Report,
): void {
  if (fieldPath.trim() === '') {
    report.add(fieldError.invalid(path, fieldPath, 'must be non-empty if specified'));
  }
  if (hasLineBreak(fieldPath)) {
    report.add(fieldError.invalid(path, fieldPath, 'must not contain line breaks'));
  }
  const parsed = parseFieldPath(fieldPath, schema);
  if (typeof parsed === 'string') {
    report.add(fieldError.invalid(path, fieldPath, `must be a valid path: ${parsed}`));
  }
}
