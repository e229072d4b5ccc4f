import assert from 'node:assert/strict';
import type { Revision } from '../api/revision.ts';
import { settle } from '../test/support/fake-clock.ts';
import { QuotaTurns } from './quota-turns.ts';

describe('turns of creates under quotas', () => {
  let turns: QuotaTurns;
  let begun: string[];
  let told: (Revision | undefined)[];
  beforeEach(() => {
    turns = new QuotaTurns();
    begun = [];
    told = [];
  });

  /** Work that ends when the test says so. */
  function take(namespace: string, name: string): { end: PromiseWithResolversOf<bigint> } {
    const end = withResolvers<bigint>();
    const work = (before: Revision | undefined): Promise<bigint> => {
      begun.push(name);
      told.push(before);
      return end.promise;
    };
    turns.run(namespace, work, (revision) => revision as Revision).catch(() => undefined);
    return { end };
  }

  it('come one after another in a namespace, and know what the one before wrote', async () => {
    const first = take('a', 'first');
    const second = take('a', 'second');
    take('a', 'third');
    await settle();
    assert.deepEqual(begun, ['first']);
    first.end.resolve(7n);
    await settle();
    assert.deepEqual(begun, ['first', 'second']);
    second.end.resolve(9n);
    await settle();
    assert.deepEqual(told, [undefined, 7n, 9n]);
  });

  it('do not wait for another namespace', async () => {
    take('a', 'first');
    take('b', 'other');
    await settle();
    assert.deepEqual(begun, ['first', 'other']);
  });

  it('go on after one that failed, of which no revision is known', async () => {
    const first = take('a', 'first');
    take('a', 'second');
    first.end.reject(new Error('refused'));
    await settle();
    assert.deepEqual([begun, told.at(-1)], [['first', 'second'], undefined]);
  });

  it('forget the revision when no create waits', async () => {
    take('a', 'first').end.resolve(7n);
    await settle();
    take('a', 'later');
    await settle();
    assert.deepEqual(told, [undefined, undefined]);
  });

  it('give the failure to the one whose work it was', async () => {
    const failing = turns.run(
      'a',
      () => Promise.reject(new Error('refused')),
      () => undefined,
    );
    await assert.rejects(failing, /refused/);
  });
});

interface PromiseWithResolversOf<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolversOf<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
