import assert from 'node:assert/strict';
import { Cancellation } from './cancellation.ts';

describe('the cancellation of a request', () => {
  it('reaches earlier listeners with the first reason', () => {
    const cancellation = new Cancellation();
    const { signal } = cancellation;
    assert.equal(signal.aborted, false);
    assert.equal(cancellation.reason, undefined);
    const first = new Error('first');
    cancellation.abort(first);
    cancellation.abort(new Error('second'));
    assert.equal(signal.reason, first);
    assert.equal(cancellation.reason, first);
  });

  it('reaches listeners that are added after the cancellation', () => {
    const cancellation = new Cancellation();
    const reason = new Error('gone');
    cancellation.abort(reason);
    assert.equal(cancellation.signal.aborted, true);
    assert.equal(cancellation.signal.reason, reason);
  });

  it('gives all listeners one signal', () => {
    const cancellation = new Cancellation();
    assert.equal(cancellation.signal, cancellation.signal);
  });

  it('calls each listener once, a late one at once, and a removed one never', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    cancellation.onAbort(({ message }) => heard.push(`first ${message}`));
    cancellation.onAbort(({ message }) => heard.push(`left ${message}`))();
    cancellation.abort(new Error('gone'));
    cancellation.abort(new Error('again'));
    assert.deepEqual(heard, ['first gone']);
    cancellation.onAbort(({ message }) => heard.push(`late ${message}`))();
    assert.deepEqual(heard, ['first gone', 'late gone']);
  });

  it('works as an AbortSignal', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    const forgotten = (): void => void heard.push('forgotten');
    cancellation.addEventListener('abort', () => void heard.push('aborted'));
    cancellation.addEventListener('abort', forgotten);
    cancellation.removeEventListener('abort', forgotten);
    assert.equal(cancellation.aborted, false);
    const reason = new Error('gone');
    cancellation.abort(reason);
    assert.deepEqual([cancellation.aborted, cancellation.reason], [true, reason]);
    cancellation.abort(new Error('later'));
    assert.deepEqual(heard, ['aborted']);
  });
});
