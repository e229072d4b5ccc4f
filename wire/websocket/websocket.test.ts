import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { ApiRequest, PushedBody } from '../../http/message.ts';
import type { FrameSink } from '../../watch/frame-sink.ts';
import { testRequest } from '../testing.ts';
import { frame, FrameReader, OPCODE, type Opcode } from './frames.ts';
import { handshakeHeaders, isWebSocketRequest } from './handshake.ts';
import { overWebSocket, webSocketAnswer } from './websocket-body.ts';

const HEADERS = {
  upgrade: 'websocket',
  connection: 'keep-alive, Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

function upgradable(headers: Record<string, string> = {}): ApiRequest {
  return { ...testRequest({ headers: { ...HEADERS, ...headers } }), isUpgradable: true };
}

/** A frame as clients send it. */
function clientFrame(opcode: number, payload: Buffer, isFinal = true): Buffer {
  const bytes = frame(opcode as Opcode, payload);
  if (!isFinal) bytes[0] = opcode;
  const head = bytes.subarray(0, bytes.length - payload.length);
  head[1]! |= 0x80;
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i % 4]!)]);
}

/** What a server has sent, read as a client reads it. */
function read(bytes: Buffer): { opcode: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1]!;
    const extended = short < 126 ? 0 : short === 126 ? 2 : 8;
    const start = at + 2 + extended;
    const length =
      extended === 0
        ? short
        : extended === 2
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    frames.push({ opcode: bytes[at]! & 0x0f, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}

class Fixture {
  readonly sent: Buffer[] = [];
  isEnded = false;
  isClosed = false;
  hasRoom = true;
  source: FrameSink | undefined;

  readonly body: PushedBody = {
    start: (sink) => {
      this.source = sink;
      return { resume: () => undefined, close: () => void (this.isClosed = true) };
    },
  };
  readonly control = overWebSocket(this.body).start({
    write: (bytes) => {
      this.sent.push(bytes);
      return this.hasRoom;
    },
    end: () => void (this.isEnded = true),
  });

  frames(): { opcode: number; payload: Buffer }[] {
    return read(Buffer.concat(this.sent));
  }
}

describe('WebSocket handshake', () => {
  it('answers the key as RFC 6455 says', () => {
    const { status, headers } = webSocketAnswer(upgradable(), new Fixture().body);
    assert.equal(status, 101);
    assert.deepEqual(headers, {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
    });
  });

  it('takes the first protocol, but never the one that is a token', () => {
    const protocol = (offered: string): string | undefined =>
      handshakeHeaders(upgradable({ 'sec-websocket-protocol': offered }))['sec-websocket-protocol'];
    assert.equal(protocol('base64.binary.k8s.io'), 'base64.binary.k8s.io');
    assert.equal(protocol('base64url.bearer.authorization.k8s.io.c2VjcmV0, a, b'), 'a');
    assert.equal(protocol('base64url.bearer.authorization.k8s.io.c2VjcmV0'), undefined);
    assert.equal(protocol('a b, "c"'), undefined);
  });

  it('refuses what is none', () => {
    for (const headers of [
      { 'sec-websocket-version': '8' },
      { 'sec-websocket-key': 'short' },
      { 'sec-websocket-key': '' },
    ]) {
      assert.throws(() => handshakeHeaders(upgradable(headers)), /WebSocket/);
    }
    assert.throws(() => handshakeHeaders({ ...upgradable(), method: 'POST' }), /GET/);
  });

  it('is for requests that can be upgraded', () => {
    assert.equal(isWebSocketRequest(upgradable()), true);
    assert.equal(isWebSocketRequest(upgradable({ connection: 'keep-alive' })), false);
    assert.equal(isWebSocketRequest(upgradable({ upgrade: 'h2c' })), false);
    assert.equal(isWebSocketRequest(testRequest({ headers: HEADERS })), false);
  });
});

describe('a stream over WebSocket', () => {
  it('has one text message for each event (property)', () => {
    const line = fc.integer({ min: 0, max: 70_000 }).map((n) => `{"a":"${'x'.repeat(n)}"}\n`);
    fc.assert(
      fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 3 })), (writes) => {
        const stream = new Fixture();
        for (const lines of writes) stream.source?.write(Buffer.from(lines.join('')));
        const frames = stream.frames();
        assert.deepEqual(
          frames.map(({ payload }) => payload.toString()),
          writes.flat(),
        );
        assert.ok(frames.every(({ opcode }) => opcode === OPCODE.TEXT));
      }),
      { numRuns: 50 },
    );
  });

  it('passes on that the socket is full', () => {
    const stream = new Fixture();
    assert.equal(stream.source?.write(Buffer.from('{}\n')), true);
    stream.hasRoom = false;
    assert.equal(stream.source.write(Buffer.from('{}\n')), false);
  });

  it('says good-bye when it ends', () => {
    const stream = new Fixture();
    stream.source?.end();
    stream.source?.end();
    assert.deepEqual(
      stream.frames().map(({ opcode, payload }) => [opcode, payload.toString('hex')]),
      [[OPCODE.CLOSE, '03e8']],
    );
    assert.equal(stream.isEnded, true);
    stream.source?.write(Buffer.from('late\n'));
    assert.equal(stream.sent.length, 1);
  });

  it('answers pings, and ends when the client closes, however its bytes arrive', () => {
    const bytes = Buffer.concat([
      clientFrame(OPCODE.TEXT, Buffer.alloc(70_000, 'x'), false),
      clientFrame(OPCODE.PING, Buffer.from('are you there')),
      clientFrame(0, Buffer.alloc(300, 'y')),
      clientFrame(OPCODE.PONG, Buffer.from('unasked')),
      clientFrame(OPCODE.CLOSE, Buffer.from([0x03, 0xe9])),
      Buffer.from('what comes behind does not count'),
    ]);
    for (const size of [1, 2, 7, 1000, bytes.length]) {
      const stream = new Fixture();
      for (let at = 0; at < bytes.length; at += size) {
        void stream.control.receive(bytes.subarray(at, at + size));
      }
      assert.deepEqual(
        stream.frames().map(({ opcode, payload }) => [opcode, payload.toString('latin1')]),
        [
          [OPCODE.PONG, 'are you there'],
          [OPCODE.CLOSE, '\x03\xe9'],
        ],
      );
      assert.equal(stream.isEnded, true);
      assert.equal(stream.isClosed, true);
    }
  });

  it('takes whole messages, in frames and pieces of any size, up to a bound', () => {
    const bytes = Buffer.concat([
      clientFrame(OPCODE.TEXT, Buffer.from('{"add"'), false),
      clientFrame(OPCODE.PING, Buffer.from('between')),
      clientFrame(0, Buffer.alloc(0), false),
      clientFrame(0, Buffer.from(':[]}')),
      clientFrame(OPCODE.TEXT, Buffer.alloc(64 * 1024, 'x')),
    ]);
    for (const size of [1_000, bytes.length]) {
      const [messages, codes]: [string[], number[]] = [[], []];
      const reader = new FrameReader({
        ping: () => undefined,
        message: (payload) => messages.push(payload.toString()),
        closed: (code) => codes.push(code),
      });
      for (let at = 0; at < bytes.length; at += size) reader.receive(bytes.subarray(at, at + size));
      assert.deepEqual(messages, ['{"add":[]}', 'x'.repeat(64 * 1024)]);
      reader.receive(clientFrame(OPCODE.TEXT, Buffer.alloc(60_000, 'x'), false));
      reader.receive(clientFrame(0, Buffer.alloc(10_000, 'x'), false));
      assert.deepEqual(codes, [1009]);
    }
  });

  it('ends when the client breaks the protocol', () => {
    const unmasked = Buffer.from([0x81, 0x01, 0x61]);
    const reserved = Buffer.from([0xc1, 0x80, 0, 0, 0, 0]);
    const longControl = Buffer.from([0x89, 0xfe, 0x00, 0x80, 0, 0, 0, 0]);
    const partialControl = Buffer.from([0x09, 0x80, 0, 0, 0, 0]);
    const huge = Buffer.from([
      0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
    ]);
    for (const bytes of [unmasked, reserved, longControl, partialControl, huge]) {
      const stream = new Fixture();
      void stream.control.receive(bytes);
      assert.equal(stream.frames()[0]?.payload.toString('hex'), '03ea');
      assert.equal(stream.isClosed, true);
    }
  });

  it('keeps nothing of what a client sends (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (pieces) => {
        const reader = new FrameReader({ ping: () => undefined, closed: () => undefined });
        for (const piece of pieces) reader.receive(Buffer.from(piece));
      }),
      { numRuns: 500 },
    );
  });
});
