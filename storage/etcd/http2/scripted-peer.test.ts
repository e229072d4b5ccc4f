import assert from 'node:assert/strict';
import { FLAG, FRAME, SETTING, settingsFrame, wordFrame } from './frames.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import { Answer, connectSession, frameOf, ScriptedPeer, type TestSession } from './testing.ts';

const FIELDS = [{ name: ':path', value: '/x' }];
const OK = new HpackEncoder().encode([{ name: ':status', value: '200' }]);
const TRAILERS = new HpackEncoder().encode([{ name: 'grpc-status', value: '0', secret: true }]);
const REFUSED_STREAM = 7;
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;

/** A peer that is told every byte shows what the server of Node never does. */
describe('a client session of HTTP/2, with a scripted peer', () => {
  let peer: ScriptedPeer;
  let opened: TestSession;

  beforeEach(async () => {
    peer = await ScriptedPeer.start();
  });
  afterEach(async () => {
    opened.session.destroy();
    await peer.close();
  });

  /** A session whose peer has told its settings. */
  async function ready(
    settings: readonly (readonly [number, number])[] = [],
    lastId?: number,
  ): Promise<TestSession> {
    opened = connectSession(peer.port, lastId);
    await peer.received(FRAME.SETTINGS);
    peer.sendBytes(settingsFrame(settings));
    await opened.ready;
    return opened;
  }

  it('sends a call and hands over its answer, in whatever pieces that comes', async () => {
    const { session } = await ready();
    const answer = new Answer();
    session.request(FIELDS, answer).end(Buffer.from('question'));
    const [head] = await peer.received(FRAME.HEADERS);
    const [data] = await peer.received(FRAME.DATA);
    assert.equal(peer.fieldsOf(head!).get(':path'), '/x');
    assert.equal(data!.payload.toString(), 'question');
    assert.equal(data!.flags, FLAG.END_STREAM);
    const bytes = Buffer.concat([
      frameOf(FRAME.HEADERS, FLAG.END_HEADERS, 1, OK),
      frameOf(0xbe, 0, 1, Buffer.from('a type that does not exist')),
      // Padding before and behind; then nothing.
      frameOf(FRAME.DATA, FLAG.PADDED, 1, Buffer.from('\x02ans\0\0')),
      frameOf(FRAME.DATA, 0, 1, Buffer.alloc(0)),
      frameOf(FRAME.DATA, 0, 1, Buffer.from('wer')),
      // Padding, a priority, and headers in three frames.
      frameOf(
        FRAME.HEADERS,
        FLAG.END_STREAM | FLAG.PADDED | FLAG.PRIORITY,
        1,
        Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 1]), TRAILERS.subarray(0, 3), Buffer.alloc(1)]),
      ),
      frameOf(FRAME.CONTINUATION, 0, 1, TRAILERS.subarray(3, 5)),
      frameOf(FRAME.CONTINUATION, FLAG.END_HEADERS, 1, TRAILERS.subarray(5)),
    ]);
    for (const byte of bytes) {
      peer.sendBytes(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    assert.equal(await answer.ended, 'end');
    assert.equal(answer.bytes.toString(), 'answer');
    assert.deepEqual(answer.heads, [{ ':status': '200' }, { 'grpc-status': '0' }]);
    assert.equal(session.calls, 0);
  });

  it('sends no more than the windows of the peer allow, and the rest when they widen', async () => {
    const { session } = await ready([[SETTING.INITIAL_WINDOW_SIZE, 10]]);
    const first = session.request(FIELDS, new Answer());
    first.end(Buffer.from('0123456789abcdefghij'));
    const sent = async (count: number): Promise<string[]> =>
      (await peer.received(FRAME.DATA, count)).map(({ payload }) => payload.toString());
    assert.deepEqual(await sent(1), ['0123456789']);
    peer.sendBytes(wordFrame(FRAME.WINDOW_UPDATE, 1, 5));
    assert.deepEqual(await sent(2), ['0123456789', 'abcde']);
    // Smaller by eight: three bytes fewer than none are allowed now.
    peer.sendBytes(settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 2]]));
    peer.sendBytes(wordFrame(FRAME.WINDOW_UPDATE, 1, 9));
    assert.deepEqual(await sent(3), ['0123456789', 'abcde', 'f']);
    peer.sendBytes(settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 100]]));
    assert.deepEqual(await sent(4), ['0123456789', 'abcde', 'f', 'ghij']);
    assert.equal((await peer.received(FRAME.DATA, 4))[3]!.flags, FLAG.END_STREAM);
  });

  it('shares the window of the connection among calls in their order', async () => {
    const { session } = await ready([[SETTING.INITIAL_WINDOW_SIZE, 1_000_000]]);
    session.request(FIELDS, new Answer()).end(Buffer.alloc(65_000, 'a'));
    session.request(FIELDS, new Answer()).end(Buffer.alloc(1_000, 'b'));
    session.request(FIELDS, new Answer()).end(Buffer.alloc(10, 'c'));
    const bytesOf = (stream: number): number =>
      peer.frames
        .filter((frame) => frame.type === FRAME.DATA && frame.stream === stream)
        .reduce((sum, { payload }) => sum + payload.length, 0);
    await peer.received(FRAME.DATA, 5);
    assert.deepEqual([1, 3, 5].map(bytesOf), [65_000, 535, 0]);
    peer.sendBytes(wordFrame(FRAME.WINDOW_UPDATE, 0, 1_000));
    await peer.received(FRAME.DATA, 7);
    assert.deepEqual([1, 3, 5].map(bytesOf), [65_000, 1_000, 10]);
  });

  it('cuts data into frames that the peer takes', async () => {
    const { session } = await ready();
    session.request(FIELDS, new Answer()).end(Buffer.alloc(40_000));
    const frames = await peer.received(FRAME.DATA, 3);
    const lengths = frames.map(({ payload }) => payload.length);
    assert.deepEqual(lengths, [16_384, 16_384, 7_232]);
  });

  it('gives room back for what it has read, and none while a stream is paused', async () => {
    const { session } = await ready();
    const answer = new Answer();
    const stream = session.request(FIELDS, answer);
    stream.end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS);
    stream.pause();
    peer.sendBytes(dataFrames(70));
    peer.send(FRAME.PING, 0, 0, 'question');
    // The answer to the ping comes after anything that the data has caused.
    await peer.received(FRAME.PING);
    assert.equal(answer.bytes.length, 70 * 16_000);
    // The first one widened the connection at its start.
    assert.equal((await peer.received(FRAME.WINDOW_UPDATE)).length, 1);
    stream.resume();
    const [, back] = await peer.received(FRAME.WINDOW_UPDATE, 2);
    assert.deepEqual([back!.stream, back!.payload.readUInt32BE()], [1, 70 * 16_000]);
  });

  it('gives the connection room back whatever becomes of the data', async () => {
    const { session } = await ready();
    const stream = session.request(FIELDS, new Answer());
    stream.end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS);
    stream.cancel();
    peer.sendBytes(dataFrames(270));
    const [, back] = await peer.received(FRAME.WINDOW_UPDATE, 2);
    // The first frame with which a quarter of 16 MiB is used.
    assert.deepEqual([back!.stream, back!.payload.readUInt32BE()], [0, 263 * 16_000]);
  });

  it('opens no more streams at a time than the peer takes', async () => {
    const { session } = await ready([[SETTING.MAX_CONCURRENT_STREAMS, 2]]);
    const answers = Array.from({ length: 4 }, () => new Answer());
    const streams = answers.map((answer) => session.request(FIELDS, answer));
    for (const stream of streams) stream.end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS, 2);
    // One that waits is taken back without a word to the peer.
    streams[2]!.cancel();
    assert.equal(session.calls, 3);
    peer.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 3, TRAILERS);
    assert.equal(await answers[1]!.ended, 'end');
    const frames = await peer.received(FRAME.HEADERS, 3);
    assert.deepEqual(
      frames.map(({ stream }) => stream),
      [1, 3, 5],
    );
    assert.equal((await peer.received(FRAME.DATA, 3))[2]!.stream, 5);
    peer.sendBytes(settingsFrame([[SETTING.MAX_CONCURRENT_STREAMS, 3]]));
    await peer.received(FRAME.SETTINGS, 2);
    session.request(FIELDS, new Answer()).end(Buffer.from('x'));
    assert.equal((await peer.received(FRAME.HEADERS, 4))[3]!.stream, 7);
  });

  it('tells calls that the peer has not looked at from those that it may have executed', async () => {
    const { session, retired } = await ready();
    const answers = [new Answer(), new Answer(), new Answer()];
    for (const answer of answers) session.request(FIELDS, answer).end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS, 3);
    peer.sendBytes(wordFrame(FRAME.RST_STREAM, 1, REFUSED_STREAM));
    assert.match(await answers[0]!.ended, /^refused/);
    const last = Buffer.alloc(8);
    last.writeUInt32BE(3);
    peer.send(FRAME.GOAWAY, 0, 0, last);
    assert.match(await answers[2]!.ended, /^refused/);
    await retired;
    assert.throws(() => session.request(FIELDS, new Answer()), /takes no more calls/);
    peer.cut();
    assert.match(await answers[1]!.ended, /^lost/);
  });

  it('ends with its last call once the peer takes no more of them', async () => {
    const { session, closed } = await ready();
    const answer = new Answer();
    session.request(FIELDS, answer).end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS);
    const last = Buffer.alloc(8);
    last.writeUInt32BE(1);
    peer.send(FRAME.GOAWAY, 0, 0, last);
    peer.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, TRAILERS);
    assert.equal(await answer.ended, 'end');
    await closed;
  });

  it('retires when the numbers of streams are used up, and finishes what is open', async () => {
    const { session, retired, closed } = await ready([], 3);
    const answers = [new Answer(), new Answer()];
    for (const answer of answers) session.request(FIELDS, answer).end(Buffer.from('x'));
    await retired;
    assert.throws(() => session.request(FIELDS, new Answer()), /takes no more calls/);
    await peer.received(FRAME.HEADERS, 2);
    for (const stream of [1, 3]) {
      peer.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, stream, TRAILERS);
    }
    assert.deepEqual(await Promise.all(answers.map(({ ended }) => ended)), ['end', 'end']);
    await closed;
  });

  it('ends a call that the peer has answered before it was sent whole', async () => {
    const { session } = await ready([[SETTING.INITIAL_WINDOW_SIZE, 0]]);
    const answer = new Answer();
    session.request(FIELDS, answer).end(Buffer.from('x'));
    await peer.received(FRAME.HEADERS);
    peer.send(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, 1, TRAILERS);
    assert.equal(await answer.ended, 'end');
    const [reset] = await peer.received(FRAME.RST_STREAM);
    assert.equal(reset!.stream, 1);
    peer.sendBytes(wordFrame(FRAME.WINDOW_UPDATE, 1, 10));
    peer.send(FRAME.PING, 0, 0, 'question');
    await peer.received(FRAME.PING);
    assert.deepEqual(
      peer.frames.filter(({ type }) => type === FRAME.DATA),
      [],
    );
  });

  it('answers pings, and asks whether the peer is there', async () => {
    const { session } = await ready();
    peer.send(FRAME.PING, 0, 0, '12345678');
    const [pong] = await peer.received(FRAME.PING);
    assert.deepEqual([pong!.flags, pong!.payload.toString()], [FLAG.ACK, '12345678']);
    const answered = new Promise<void>((resolve) => session.ping(resolve));
    const [, ping] = await peer.received(FRAME.PING, 2);
    peer.send(FRAME.PING, FLAG.ACK, 0, ping!.payload);
    await answered;
  });

  const long = Buffer.alloc(9);
  long.writeUIntBE(16_385, 0, 3);
  const broken: readonly [what: string, bytes: Buffer][] = [
    ['a frame that is too long', long],
    ['a push', frameOf(FRAME.PUSH_PROMISE, 0, 1, Buffer.alloc(8))],
    ['data of a stream that was never opened', frameOf(FRAME.DATA, 0, 9, OK)],
    ['data of no stream', frameOf(FRAME.DATA, 0, 0, OK)],
    ['padding without end', frameOf(FRAME.DATA, FLAG.PADDED, 1, Buffer.from([1]))],
    ['more data than the window', dataFrames(Math.ceil(STREAM_WINDOW_BYTES / 16_000))],
    ['settings cut short', frameOf(FRAME.SETTINGS, 0, 0, Buffer.alloc(5))],
    ['a ping of nine bytes', frameOf(FRAME.PING, 0, 0, Buffer.alloc(9))],
    ['a goaway cut short', frameOf(FRAME.GOAWAY, 0, 0, Buffer.alloc(7))],
    ['a window that grows by nothing', wordFrame(FRAME.WINDOW_UPDATE, 0, 0)],
    ['a window of more than 31 bits', wordFrame(FRAME.WINDOW_UPDATE, 0, 2 ** 31 - 1)],
    [
      'windows of streams of more than 31 bits',
      settingsFrame([[SETTING.INITIAL_WINDOW_SIZE, 2 ** 31]]),
    ],
    ['frames of ten bytes', settingsFrame([[SETTING.MAX_FRAME_SIZE, 10]])],
    [
      'headers that are cut short',
      Buffer.concat([
        frameOf(FRAME.HEADERS, 0, 1, TRAILERS),
        frameOf(FRAME.PING, 0, 0, Buffer.alloc(8)),
      ]),
    ],
    [
      'headers that go on without having begun',
      frameOf(FRAME.CONTINUATION, FLAG.END_HEADERS, 1, TRAILERS),
    ],
    [
      'headers without end',
      Buffer.concat([
        frameOf(FRAME.HEADERS, 0, 1, Buffer.alloc(16_000)),
        ...Array.from({ length: 5 }, () => frameOf(FRAME.CONTINUATION, 0, 1, Buffer.alloc(16_000))),
      ]),
    ],
    [
      'headers that cannot be read',
      frameOf(FRAME.HEADERS, FLAG.END_HEADERS, 1, Buffer.from([0xff])),
    ],
  ];
  for (const [what, bytes] of broken) {
    it(`ends the connection and loses the call after ${what}`, async () => {
      const { session, failed, closed } = await ready();
      const answer = new Answer();
      const stream = session.request(FIELDS, answer);
      stream.pause();
      stream.end(Buffer.from('x'));
      await peer.received(FRAME.HEADERS);
      peer.sendBytes(bytes);
      await failed;
      await closed;
      assert.match(await answer.ended, /^lost/);
    });
  }

  it('ends the connection to a peer that speaks HTTP/1.1', async () => {
    opened = connectSession(peer.port);
    await peer.received(FRAME.SETTINGS);
    peer.sendBytes(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
    assert.match((await opened.failed).message, /does not speak HTTP\/2/);
    await opened.closed;
  });
});

/** Frames of 16,000 bytes of data. */
function dataFrames(count: number): Buffer {
  const frame = frameOf(FRAME.DATA, 0, 1, Buffer.alloc(16_000));
  return Buffer.concat(Array.from({ length: count }, () => frame));
}
