import assert from 'node:assert/strict';
import { FieldPath } from '../field-path.ts';
import {
  isLabelSelectorSpec,
  labelSelectorOf,
  validateLabelSelector,
  type LabelExpression,
  type LabelSelectorSpec,
} from './label-spec.ts';
import type { LabelSelector } from './labels.ts';

const path = FieldPath.of('webhooks').index(0).child('objectSelector');
const selectorOf = (spec: LabelSelectorSpec | null | undefined): LabelSelector => {
  const parsed = labelSelectorOf(spec);
  if ('error' in parsed) assert.fail(parsed.error);
  return parsed.selector;
};

describe('LabelSelector objects', () => {
  it('match nothing when absent and everything when empty', () => {
    assert.equal(selectorOf(undefined).matches({}), false);
    assert.equal(selectorOf(null).matches({ a: 'b' }), false);
    assert.equal(selectorOf({}).isEverything(), true);
    assert.equal(selectorOf({ matchLabels: null, matchExpressions: null }).matches({}), true);
  });

  it('join labels and expressions', () => {
    const selector = selectorOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'env', operator: 'In', values: ['prod', 'dev'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'tier', operator: 'NotIn', values: ['x'] },
        { key: 'app', operator: 'Exists', values: [] },
      ],
    });
    assert.equal(selector.toString(), 'app=web,app,env in (dev,prod),!old,tier notin (x)');
    assert.equal(selector.matches({ app: 'web', env: 'dev' }), true);
    assert.equal(selector.matches({ app: 'web', env: 'dev', old: '' }), false);
    assert.equal(selector.matches({ app: 'web' }), false);
  });

  it('return an error for what validation refuses', () => {
    const expressions: LabelExpression[] = [
      { key: 'a', operator: 'Gt', values: ['1'] },
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['b'] },
      { key: 'a', operator: 'constructor' },
    ];
    for (const expression of expressions) {
      assert.ok('error' in labelSelectorOf({ matchExpressions: [expression] }));
    }
  });

  it('are validated field by field', () => {
    const errors = validateLabelSelector(
      {
        matchLabels: { '-a': 'b c' },
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['x'] },
          { key: '', operator: 'Near', values: ['-'] },
        ],
      },
      path,
    );
    const at = 'webhooks[0].objectSelector';
    assert.deepEqual(
      errors.map((e) => [e.type, e.path]),
      [
        ['FieldValueInvalid', `${at}.matchLabels`],
        ['FieldValueInvalid', `${at}.matchLabels`],
        ['FieldValueRequired', `${at}.matchExpressions[0].values`],
        ['FieldValueForbidden', `${at}.matchExpressions[1].values`],
        ['FieldValueInvalid', `${at}.matchExpressions[2].operator`],
        ['FieldValueInvalid', `${at}.matchExpressions[2].key`],
        ['FieldValueInvalid', `${at}.matchExpressions[2].key`],
        ['FieldValueInvalid', `${at}.matchExpressions[2].values[0]`],
      ],
    );
    assert.deepEqual(validateLabelSelector(undefined, path), []);
    assert.deepEqual(validateLabelSelector({ matchLabels: { a: '' } }, path), []);
    const stored: LabelSelectorSpec = {
      matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }],
    };
    assert.equal(validateLabelSelector(stored, path).length, 1);
    assert.deepEqual(validateLabelSelector(stored, path, { allowInvalidValues: true }), []);
  });

  it('are told from what has other types', () => {
    const expression = { key: 'a', operator: 'In', values: ['b'] };
    const specs = [
      {},
      { matchLabels: null, matchExpressions: null },
      { matchLabels: { a: 'b' }, matchExpressions: [expression, { key: 'a', operator: 'Exists' }] },
      { matchExpressions: [{ ...expression, values: null }] },
    ];
    for (const spec of specs) assert.equal(isLabelSelectorSpec(spec), true, JSON.stringify(spec));
    const others = [
      undefined,
      null,
      'a=b',
      [],
      { matchLabels: ['a'] },
      { matchLabels: { a: 1 } },
      { matchExpressions: 'a' },
      { matchExpressions: [null] },
      { matchExpressions: [{ ...expression, key: 1 }] },
      { matchExpressions: [{ ...expression, operator: null }] },
      { matchExpressions: [{ ...expression, values: 'b' }] },
      { matchExpressions: [{ ...expression, values: [1] }] },
    ];
    for (const other of others) {
      assert.equal(isLabelSelectorSpec(other), false, JSON.stringify(other));
    }
  });
});
