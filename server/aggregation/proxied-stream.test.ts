import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { PushControl, PushedBody } from '../../http/message.ts';
import { overWebSocket } from '../../wire/websocket/websocket-body.ts';
import { OpenStreams, pushedAnswer, upgradedAnswer } from './proxied-stream.ts';

describe('streams of other servers whose client goes before they begin', () => {
  it('end the connection to the other server', () => {
    const [upgraded, watched] = [new Socket(), new IncomingMessage(new Socket())];
    const streams = new OpenStreams();
    upgradedAnswer(upgraded, Buffer.alloc(0), streams).discard?.();
    assert.ok(upgraded.destroyed);
    overWebSocket(pushedAnswer(watched, streams)).discard?.();
    assert.ok(watched.destroyed);
  });
});

describe('what another server sends in many small pieces', () => {
  /** Hands on what is pushed into `stream`; `rooms`: what the client answers to each piece. */
  function started(body: PushedBody, rooms: boolean[]): { pieces: string[]; control: PushControl } {
    const pieces: string[] = [];
    const write = (bytes: Buffer): boolean => {
      pieces.push(bytes.toString());
      return rooms.shift() ?? true;
    };
    const control = body.start({ write, end: () => pieces.push('end') });
    return { pieces, control };
  }
  const bodies: [string, (stream: IncomingMessage) => PushedBody][] = [
    ['a watch', (stream) => pushedAnswer(stream, new OpenStreams())],
    ['an upgrade', (stream) => upgradedAnswer(stream as never, Buffer.alloc(0), new OpenStreams())],
  ];
  for (const [what, bodyOf] of bodies) {
    it(`is handed on as one: ${what}`, async () => {
      const stream = new IncomingMessage(new Socket());
      const { pieces } = started(bodyOf(stream), []);
      for (const piece of ['abc', 'def']) {
        for (const byte of piece) stream.push(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
      stream.push(null);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(pieces, ['abc', 'def', 'end']);
    });

    it(`waits for a client that has no room: ${what}`, async () => {
      const stream = new IncomingMessage(new Socket());
      const { pieces, control } = started(bodyOf(stream), [false]);
      for (const piece of ['a', 'b', 'c', null]) {
        stream.push(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(pieces, ['a']);
      control.resume();
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(pieces, ['a', 'bc', 'end']);
    });
  }
});
