import assert from 'node:assert/strict';
import { MutationPass, Reinvocations } from './reinvocation.ts';

describe('the mutating half of admission', () => {
  it('runs a second round on request, and never a third', () => {
    const pass = new MutationPass();
    assert.equal(pass.beginSecond(), false);
    pass.requestSecond();
    assert.equal(pass.isSecond, false);
    assert.equal(pass.beginSecond(), true);
    assert.equal(pass.isSecond, true);
    pass.requestSecond();
    assert.equal(pass.beginSecond(), false);
  });

  it('keeps the state of each plugin separate', () => {
    const pass = new MutationPass();
    const [one, two] = [{}, {}];
    const memory = pass.memoryOf(one, () => ['a']);
    assert.equal(
      pass.memoryOf(one, () => ['b']),
      memory,
    );
    assert.notEqual(
      pass.memoryOf(two, () => ['a']),
      memory,
    );
  });
});

describe('what runs again in the second round', () => {
  it('is what ran before another plugin changed the object', () => {
    const parts = new Reinvocations();
    parts.addInvoked('first');
    parts.requireAgain();
    parts.addInvoked('second');
    assert.equal(parts.isRequired('first'), true);
    assert.equal(parts.isRequired('second'), false);
  });

  it('is every plugin whose result another plugin changed later', async () => {
    const parts = new Reinvocations();
    parts.addInvoked('first');
    const object = { metadata: { labels: { a: 'b' } } };
    await parts.rememberOutput(object);
    object.metadata.labels.a = 'changed in place';
    await parts.compareWithOutput(object);
    assert.equal(parts.isRequired('first'), true);
  });

  it('is empty when the object is unchanged', async () => {
    const parts = new Reinvocations();
    parts.addInvoked('first');
    await parts.rememberOutput({ a: [1, { b: 2 }] });
    await parts.compareWithOutput({ a: [1, { b: 2 }] });
    assert.equal(parts.isRequired('first'), false);
  });
});
