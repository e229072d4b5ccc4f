import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { extensionKey, readExtension } from '../extension-keys.ts';
import { parseFieldPath } from '../field-path-syntax.ts';
import { schemaFromJson } from '../from-json.ts';
import { textOf } from './json-node.ts';
import type { Report } from './report.ts';

const RULE_REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * What can be said of the rules of a node without compiling them.
 * Source: specification 3, section 2.1, ValidationRule.
 */
export function checkRuleFields(node: JsonObject, path: FieldPath, report: Report): void {
  const rules = readExtension(node, 'validations');
  if (!Array.isArray(rules)) return;
  const at = path.child(extensionKey('validations'));
  for (const [i, rule] of rules.entries()) {
    if (isObject(rule)) checkRule(rule, node, at.index(i), report);
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

function checkRule(rule: JsonObject, node: JsonObject, path: FieldPath, report: Report): void {
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
  checkFieldPath(textOf(rule, 'fieldPath'), node, path.child('fieldPath'), report);
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
  node: JsonObject,
  path: FieldPath,
  report: Report,
): void {
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') {
    report.add(fieldError.invalid(path, fieldPath, 'must be non-empty if specified'));
  }
  if (hasLineBreak(fieldPath)) {
    report.add(fieldError.invalid(path, fieldPath, 'must not contain line breaks'));
  }
  const parsed = parseFieldPath(fieldPath, schemaFromJson(node));
  if (typeof parsed === 'string') {
    report.add(fieldError.invalid(path, fieldPath, `must be a valid path: ${parsed}`));
  }
}
