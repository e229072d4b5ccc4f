import assert from 'node:assert/strict';
import { Cursor } from './cursor.ts';

const event = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });

describe('the resume position of a subscription', () => {
  it('is the last complete revision', () => {
    const cursor = new Cursor('9');
    assert.ok(cursor.take(event('a', '10')));
    assert.equal(cursor.resourceVersion, '9');
    assert.ok(cursor.take(event('b', '11')));
    assert.equal(cursor.resourceVersion, '10');
    assert.ok(!cursor.take(event('b', '11')));
    cursor.moveTo('11');
    assert.equal(cursor.resourceVersion, '11');
  });

  it('recognises an event that the server repeats after it reported its lag', () => {
    const cursor = new Cursor('9');
    assert.ok(cursor.take(event('a', '10')));
    cursor.moveTo('9');
    assert.ok(!cursor.take(event('a', '10')));
    assert.ok(cursor.take(event('b', '11')));
  });
});
