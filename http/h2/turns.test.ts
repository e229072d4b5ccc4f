import assert from 'node:assert/strict';
import { ConnectionTurns } from './turns.ts';

describe('the turns of requests on one HTTP/2 connection', () => {
  function added(turns: ConnectionTurns, count: number): { begun: number[]; streams: object[] } {
    const begun: number[] = [];
    const streams = Array.from({ length: count }, () => ({}));
    streams.forEach((stream, at) => turns.add(stream, () => begun.push(at)));
    return { begun, streams };
  }

  it('starts a bounded number at once, and the others as those end', () => {
    const turns = new ConnectionTurns(2);
    const { begun } = added(turns, 4);
    assert.deepEqual(begun, [0, 1]);
    turns.end();
    assert.deepEqual(begun, [0, 1, 2]);
  });

  it('a reset stream counts until its work ends', () => {
    const turns = new ConnectionTurns(1);
    const { begun, streams } = added(turns, 2);
    turns.drop(streams[0]!);
    assert.deepEqual(begun, [0]);
    turns.end();
    assert.deepEqual(begun, [0, 1]);
  });

  it('a stream that is reset before its turn never begins', () => {
    const turns = new ConnectionTurns(1);
    const { begun, streams } = added(turns, 3);
    turns.drop(streams[1]!);
    turns.end();
    assert.deepEqual(begun, [0, 2]);
  });

  it('a paused connection begins no request until it resumes', () => {
    const turns = new ConnectionTurns(2);
    let resume = (): void => assert.fail('it has not been asked');
    turns.rest((given) => (resume = given));
    const { begun } = added(turns, 1);
    assert.deepEqual(begun, []);
    resume();
    assert.deepEqual(begun, [0]);
  });
});
