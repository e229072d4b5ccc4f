import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { eventually } from '../../../test/support/plinth.ts';
import { H2Session } from './session.ts';
import type { H2Stream, Head } from './stream.ts';

const FIELDS = [
  { name: ':method', value: 'POST' },
  { name: ':scheme', value: 'http' },
  { name: ':path', value: '/call' },
  { name: ':authority', value: 'here' },
];

/** What became of one call. */
class Call {
  readonly heads: Head[] = [];
  readonly chunks: Buffer[] = [];
  end: 'whole' | 'refused' | 'lost' | undefined;
  details = '';

  onHead(head: Head): void {
    this.heads.push(head);
  }
  onData(bytes: Buffer): void {
    this.chunks.push(Buffer.from(bytes));
  }
  onEnd(): void {
    this.end = 'whole';
  }
  onLost(details: string, refused: boolean): void {
    this.end = refused ? 'refused' : 'lost';
    this.details = details;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

type Answerer = (stream: ServerHttp2Stream, body: Buffer) => void;

/** A session with a server of Node's own HTTP/2, which reads each call to its end. */
class Peer {
  readonly server: Http2Server;
  session!: H2Session;
  error: Error | undefined;
  isRetired = false;

  constructor(answer: Answerer, settings: object = {}) {
    this.server = createServer({ settings });
    this.server.on('stream', (stream) => {
      const chunks: Buffer[] = [];
      stream.on('error', () => undefined);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => answer(stream, Buffer.concat(chunks)));
    });
  }

  async open(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      this.session = new H2Session(socket, {
        onReady: resolve,
        onRetired: () => (this.isRetired = true),
        onError: (error) => (this.error = error),
      });
      socket.on('error', () => undefined);
      socket.on('connect', () => this.session.start());
      socket.on('data', (chunk: Buffer) => this.session.receive(chunk));
    });
    return this;
  }

  call(body: Buffer | string = '', fields = FIELDS): Call & { stream: H2Stream } {
    const call = new Call();
    const stream = this.session.request(fields, call);
    stream.end(Buffer.from(body));
    return Object.assign(call, { stream });
  }

  async close(): Promise<void> {
    this.session.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

const ended = (call: Call): Promise<void> =>
  eventually(() => call.end !== undefined, 'the end of a call');

describe('the HTTP/2 client for etcd, with the server of Node', () => {
  let peer: Peer;
  const open = async (answer: Answerer, settings?: object): Promise<Peer> =>
    (peer = await new Peer(answer, settings).open());
  afterEach(() => peer.close());

  it('sends heads that are understood, the first time and later, and reads those of the answer', async () => {
    const seen: unknown[] = [];
    await open((stream) => stream.end());
    peer.server.on('stream', (stream, headers) => {
      seen.push(headers);
      const text = `${'%25 !"#~ µ'.repeat(5)}${seen.length}`;
      stream.respond({ 'x-text': Buffer.from(text).toString('latin1') }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-end': 'ä~^' }));
    });
    const secret = { name: 'token', value: 'x'.repeat(300), secret: true };
    const fields = [...FIELDS, { name: 'te', value: 'trailers' }, secret];
    for (let i = 1; i <= 3; i++) {
      const call = peer.call('hello', fields);
      await ended(call);
      const [head, trailers] = call.heads;
      assert.equal(call.end, 'whole');
      assert.equal(head?.[':status'], '200');
      assert.match(head['x-text'] ?? '', new RegExp(`~ .*${i}$`));
      assert.deepEqual({ ...trailers }, { 'grpc-status': '0', 'x-end': 'ä~^' });
    }
    assert.equal(seen.length, 3);
    for (const headers of seen as Record<string, string>[]) {
      assert.equal(headers[':path'], '/call');
      assert.equal(headers['te'], 'trailers');
      assert.equal(headers['token'], secret.value);
    }
  });

  it('is understood by a peer that remembers nothing', async () => {
    const paths: unknown[] = [];
    await open(
      (stream) => {
        stream.respond();
        stream.end();
      },
      { headerTableSize: 0 },
    );
    peer.server.on('stream', (_stream, headers) => paths.push(headers[':path']));
    for (let i = 0; i < 3; i++) await ended(peer.call());
    assert.deepEqual(paths, ['/call', '/call', '/call']);
    assert.equal(peer.error, undefined);
  });

  it('reads any byte of a head, coded by Huffman or not', async () => {
    const texts: string[] = [];
    // so short otherwise that the code, of up to 28 bits, is shorter than the text
    for (let byte = 0x21; byte <= 0xff; byte++) {
      if (byte !== 0x7f) texts.push(`${String.fromCharCode(byte)}${'e'.repeat(40)}`);
    }
    await open((stream) => {
      const fields = texts.map((text, index) => [`x-${index}`, text] as const);
      stream.respond(Object.fromEntries(fields));
      stream.end();
    });
    const call = peer.call();
    await ended(call);
    for (const [index, text] of texts.entries()) {
      assert.equal(call.heads[0]?.[`x-${index}`], text);
    }
  });

  it('sends and reads megabytes, within the windows of both sides', async () => {
    const body = Buffer.alloc(9_000_000, 'abcdefg');
    await open((stream, got) => {
      stream.respond();
      stream.end(got);
    });
    const calls = [peer.call(body), peer.call(body), peer.call('small')];
    for (const call of calls) await ended(call);
    assert.deepEqual(
      calls.map((call) => [call.end, call.bytes.length]),
      [
        ['whole', body.length],
        ['whole', body.length],
        ['whole', 5],
      ],
    );
    assert.ok(calls[0]?.bytes.equals(body));
  });

  it('lets a paused stream wait, and no other one', async () => {
    const body = Buffer.alloc(12_000_000, 'x');
    await open((stream, got) => {
      stream.respond();
      stream.end(got.length === 0 ? body : got);
    });
    const paused = peer.call();
    paused.stream.pause();
    await eventually(() => paused.bytes.length >= 4_000_000, 'what the window allows');
    const other = peer.call('other');
    await ended(other);
    assert.equal(other.bytes.toString(), 'other');
    assert.equal(paused.end, undefined);
    assert.ok(paused.bytes.length <= 4 * 1024 * 1024);
    paused.stream.resume();
    await ended(paused);
    assert.ok(paused.bytes.equals(body));
  });

  it('has no more calls open than the peer takes', async () => {
    let most = 0;
    let isOpen = 0;
    await open(
      (stream) => {
        most = Math.max(most, ++isOpen);
        setImmediate(() => {
          isOpen--;
          stream.respond();
          stream.end('x');
        });
      },
      { maxConcurrentStreams: 3 },
    );
    const calls = Array.from({ length: 20 }, () => peer.call('x'));
    for (const call of calls) await ended(call);
    assert.ok(calls.every(({ end }) => end === 'whole'));
    assert.ok(most <= 3 && most > 1, `${most} at a time`);
  });

  it('tells a call that was refused from one that was lost', async () => {
    await open((stream, body) => {
      const code =
        body.toString() === 'refuse' ? 'NGHTTP2_REFUSED_STREAM' : 'NGHTTP2_INTERNAL_ERROR';
      stream.close(constants[code]);
    });
    const calls = [peer.call('refuse'), peer.call('lose')];
    for (const call of calls) await ended(call);
    assert.deepEqual(
      calls.map(({ end }) => end),
      ['refused', 'lost'],
    );
  });

  it('ends what is open when a peer goes in order, and takes nothing more', async () => {
    let held: ServerHttp2Stream | undefined;
    await open((stream) => (held = stream));
    const call = peer.call('x');
    await eventually(() => held !== undefined, 'the call at the peer');
    held?.session?.close();
    await eventually(() => peer.isRetired, 'word of the end');
    assert.throws(() => peer.call('y'));
    held?.respond();
    held?.end('done');
    await ended(call);
    assert.equal(call.bytes.toString(), 'done');
    await eventually(() => peer.session.isClosed, 'the end of the connection');
  });

  it('loses what is open when the connection breaks', async () => {
    await open((stream) => stream.session?.destroy());
    const call = peer.call('x');
    await ended(call);
    assert.equal(call.end, 'lost');
    assert.equal(call.details, 'the connection was lost');
  });

  it('tells the peer when a call is given up, and tells the call nothing more', async () => {
    const codes: number[] = [];
    await open((stream) => {
      stream.on('close', () => codes.push(stream.rstCode));
    });
    const call = peer.call('x');
    const answered = once(peer.server, 'stream');
    await answered;
    call.stream.cancel();
    await eventually(() => codes.length > 0, 'the cancellation');
    assert.deepEqual(codes, [constants.NGHTTP2_CANCEL]);
    assert.equal(call.end, undefined);
    assert.equal(peer.session.calls, 0);
  });

  it('answers pings, and has its own answered', async () => {
    let answered = false;
    await open((stream) => {
      stream.session?.ping(() => (answered = true));
      stream.respond();
      stream.end();
    });
    await ended(peer.call('x'));
    await eventually(() => answered, 'the answer to a ping');
    await new Promise<void>((resolve) => peer.session.ping(resolve));
  });
});
