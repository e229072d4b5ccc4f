import assert from 'node:assert/strict';
import { PolicyAnnotations } from './annotations.ts';

describe('annotations of policies in the audit event', () => {
  it('join the distinct values of bindings and keep existing annotations', () => {
    const audit = new Map([['p/taken', 'before']]);
    const annotations = new PolicyAnnotations(audit);
    for (const value of ['a', 'b', 'a']) annotations.add('p', 'key', value);
    annotations.add('p', 'taken', 'after');
    annotations.publish();
    assert.deepEqual(Object.fromEntries(audit), { 'p/taken': 'before', 'p/key': 'a, b' });
  });

  it('cut long values', () => {
    const audit = new Map<string, string>();
    const annotations = new PolicyAnnotations(audit);
    annotations.add('p', 'long', 'x'.repeat(20_000));
    annotations.publish();
    assert.equal(audit.get('p/long')?.length, 10 * 1024);
  });

  it('list a failed validation once per binding', () => {
    const audit = new Map<string, string>();
    const annotations = new PolicyAnnotations(audit);
    annotations.addFailure('p', 'one', ['Audit'], { index: 0, message: 'no' });
    annotations.addFailure('p', 'two', ['Audit', 'Warn'], { index: 2, message: 'never' });
    annotations.publish();
    const [failures] = [...audit.values()].map((text) => JSON.parse(text) as unknown[]);
    assert.deepEqual(failures, [
      {
        message: 'no',
        policy: 'p',
        binding: 'one',
        expressionIndex: 0,
        validationActions: ['Audit'],
      },
      {
        message: 'never',
        policy: 'p',
        binding: 'two',
        expressionIndex: 2,
        validationActions: ['Audit', 'Warn'],
      },
    ]);
  });
});
