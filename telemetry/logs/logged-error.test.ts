import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { StoreError } from '../../storage/errors.ts';
import { loggedError } from './logged-error.ts';

describe('an error in the log', () => {
  it('is one line without a stack for failures of the environment', async () => {
    const refused: unknown = await once(connect(1, '127.0.0.1'), 'connect').catch(
      (error: unknown) => error,
    );
    const why = 'connect ECONNREFUSED 127.0.0.1:1';
    const error = new StoreError('unavailable', `no etcd: ${why}`, { cause: refused });
    Object.assign(error, { code: 503 });
    assert.deepEqual(loggedError(error), { type: 'StoreError', message: `no etcd: ${why}` });
  });

  it('has the stack of a defect, wherever in its causes that is', () => {
    const defect = new TypeError('x is not a function');
    const { message, stack } = loggedError(
      new StoreError('unavailable', 'no answer', { cause: defect }),
    );
    assert.equal(message, 'no answer: x is not a function');
    assert.equal(stack, defect.stack);
    assert.ok(loggedError(new Error('an invariant')).stack);
  });

  it('names all that have failed, and ends where causes are a circle', () => {
    const first = new StoreError('timeout', 'first');
    const all = new AggregateError([first, new StoreError('timeout', 'second')], 'all failed');
    first.cause = all;
    assert.equal(loggedError(all).message, 'all failed: first: second');
    assert.deepEqual(loggedError('text'), { type: 'string', message: 'text' });
  });
});
