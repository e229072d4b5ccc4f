import assert from 'node:assert/strict';
import { Cursor } from './cursor.ts';

const event = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });

describe('where a subscription goes on', () => {
  it('is behind the last revision that is complete', () => {
    const cursor = new Cursor('9');
    assert.ok(cursor.take(event('a', '10')));
    assert.equal(cursor.resourceVersion, '9');
    assert.ok(cursor.take(event('b', '11')));
    assert.equal(cursor.resourceVersion, '10');
    assert.ok(!cursor.take(event('b', '11')));
    cursor.moveTo('11');
    assert.equal(cursor.resourceVersion, '11');
  });

  it('remembers an event that a server repeats which said first how far behind it was', () => {
    const cursor = new Cursor('9');
    assert.ok(cursor.take(event('a', '10')));
    cursor.moveTo('9');
    assert.ok(!cursor.take(event('a', '10')));
    assert.ok(cursor.take(event('b', '11')));
  });
});
