import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
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
