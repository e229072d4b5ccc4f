import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResponseBody } from './message.ts';
import type { AnswerStream } from './answer-stream.ts';
import { discard, send, serve } from './send.ts';
import { SLAB_BYTES } from './slab-pool.ts';
import { unsentBudget } from './unsent-budget.ts';

const PIECE = Buffer.alloc(256 * 1024, 'x');
const MAX_PIECE_MS = 50;

/** Pieces without end; tells when it was let go. */
class Endless implements AsyncIterableIterator<Buffer> {
  given = 0;
  isOver = false;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer>> {
    this.given++;
    return Promise.resolve({ done: false, value: PIECE });
  }

  return(): Promise<IteratorResult<Buffer>> {
    this.isOver = true;
    return Promise.resolve({ done: true, value: undefined });
  }
}

const REQUEST = { method: 'GET', complete: true, resume: () => undefined };
/** Takes all, and tells of nothing. */
const SILENT: AnswerStream = {
  destroyed: false,
  writeHead: () => undefined,
  flushHeaders: () => undefined,
  write: () => true,
  end: () => undefined,
  destroy: () => assert.fail('destroyed'),
  on: () => undefined,
  once: () => undefined,
  off: () => undefined,
};

async function* only(piece: Buffer): AsyncGenerator<Buffer, void> {
  yield await Promise.resolve(piece);
}

describe('an answer with a piece that is longer than a slab', () => {
  it('counts all of it as unsent until it has left', async () => {
    const piece = Buffer.alloc(3 * SLAB_BYTES);
    let held = 0;
    let sent: (() => void) | undefined;
    const stream: AnswerStream = {
      ...SILENT,
      write: (_, onSent) => {
        held = unsentBudget.held;
        sent = onSent;
        return true;
      },
    };
    const before = unsentBudget.held;
    await send(REQUEST, stream, { status: 200, headers: {}, body: only(piece) }, { user: 'a' });
    assert.equal(held - before, piece.length);
    sent?.();
    assert.equal(unsentBudget.held, before);
  });

  it('leaves, however many of them wait for the room that they have begun to take', async () => {
    const full = 32 * 1024 * 1024;
    const others = unsentBudget.claim('a', () => undefined);
    assert.ok(others.take(full, () => undefined));
    const piece = Buffer.alloc(3 * SLAB_BYTES);
    let left = 0;
    const close: (() => void)[] = [];
    const stream: AnswerStream = {
      ...SILENT,
      once: (_, onClose) => void close.push(onClose),
      write(_, onSent) {
        left++;
        setImmediate(() => onSent?.());
        return true;
      },
    };
    const answers = Array.from({ length: full / SLAB_BYTES }, () =>
      send(REQUEST, stream, { status: 200, headers: {}, body: only(piece) }, { user: 'a' }),
    );
    others.leave();
    for (let turn = 0; turn < 10_000 && left < answers.length; turn++) await nextTurn();
    const leftBefore = left;
    for (const leave of close) leave();
    for (const answer of answers) await answer;
    assert.equal(leftBefore, answers.length);
  });
});

describe('an answer in pieces of a known length', () => {
  it('leaves with its end in the write of its last piece, and its source is told', async () => {
    const written: string[] = [];
    let isOver = false;
    async function* pieces(): AsyncGenerator<Buffer, void> {
      yield await Promise.resolve(Buffer.from('first'));
      yield Buffer.from('last');
      isOver = true;
    }
    const stream: AnswerStream = {
      ...SILENT,
      write(bytes) {
        written.push(bytes.toString());
        // the end comes in the same turn
        queueMicrotask(() => written.push('-'));
        return true;
      },
      end: () => void written.push('end'),
    };
    const headers = { 'content-length': '9' };
    await send(REQUEST, stream, { status: 200, headers, body: pieces() }, { user: 'a' });
    assert.deepEqual(written.slice(0, 4), ['first', '-', 'last', 'end']);
    assert.equal(isOver, true);
    assert.equal(written.filter((what) => what === 'end').length, 1);
  });
});

describe('an answer whose client goes while a piece is made', () => {
  it('is over, and its source is told', async () => {
    let isGone = false;
    const told: string[] = [];
    async function* pieces(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) {
          isGone = await Promise.resolve(true);
          yield PIECE;
        }
      } finally {
        told.push('source');
      }
    }
    // what has ended takes nothing, and tells of neither room nor its end
    const stream: AnswerStream = { ...SILENT, write: () => false };
    Object.defineProperty(stream, 'destroyed', { get: () => isGone });
    const response = { status: 200, headers: {}, body: pieces() };
    const sending = send(REQUEST, stream, response, { user: 'a' })?.then(() => told.push('sent'));
    for (let i = 0; i < 10; i++) await nextTurn();
    assert.deepEqual(told, ['source', 'sent']);
    await sending;
  });
});

describe('answers to clients that have gone', () => {
  it('never begin, and let go of what they hold', async () => {
    let isLetGo = false;
    const start = (): never => assert.fail('started');
    const body = { start, discard: () => void (isLetGo = true) };
    await discard({ status: 200, headers: {}, body });
    assert.ok(isLetGo);
  });
});

describe('answers to clients that do not read', () => {
  let server: Server;
  let client: Socket;

  /** A client that asks and never reads. */
  async function ask(body: ResponseBody, headers: Record<string, string> = {}): Promise<void> {
    const handle = () => Promise.resolve({ status: 200, headers, body });
    server = createServer((req, res) => void serve(handle, req, res, MAX_PIECE_MS));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.pause();
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  }

  const connections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });

  const until = async (probe: () => boolean | Promise<boolean>): Promise<void> => {
    for (let i = 0; i < 500 && !(await probe()); i++) await new Promise((r) => setTimeout(r, 10));
    assert.ok(await probe());
  };

  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('slow read: an answer in pieces is made only as far as it is taken, and cut off', async () => {
    const body = new Endless();
    await ask(body);
    await until(() => body.isOver);
    assert.ok(body.given < 100, 'bounded memory');
    await until(async () => (await connections()) === 0);
  });

  it('slow read: a large answer in one piece is cut off', async () => {
    await ask(Buffer.alloc(8 * 1024 * 1024, 'x'));
    await until(async () => (await connections()) === 1);
    await until(async () => (await connections()) === 0);
  });

  it('slow read: a client that does not take the last piece is cut off', async () => {
    const last = Buffer.alloc(8 * 1024 * 1024, 'x');
    await ask(only(last), { 'content-length': String(last.length) });
    await until(async () => (await connections()) === 1);
    await until(async () => (await connections()) === 0);
  });
});
