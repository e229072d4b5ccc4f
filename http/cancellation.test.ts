import assert from 'node:assert/strict';
import { Cancellation } from './cancellation.ts';

describe('the cancellation of a request', () => {
  it('reaches those who have asked before, with the first reason', () => {
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

  it('reaches those who ask too late', () => {
    const cancellation = new Cancellation();
    const reason = new Error('gone');
    cancellation.abort(reason);
    assert.equal(cancellation.signal.aborted, true);
    assert.equal(cancellation.signal.reason, reason);
  });

  it('has one signal for all', () => {
    const cancellation = new Cancellation();
    assert.equal(cancellation.signal, cancellation.signal);
  });

  it('calls listeners back once, those that ask too late at once, and not those that have left', () => {
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

  it('serves as a signal of its own, for what it costs less', () => {
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
