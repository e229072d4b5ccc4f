import assert from 'node:assert/strict';
import fc from 'fast-check';
import { revisionOf } from '../../api/revision.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import type { BatchOperation } from '../interface.ts';
import { type Frame, FrameError, FrameReader, FrameWriter, MAX_FRAME_BYTES } from './frames.ts';
import {
  type Answer,
  decodeAnswer,
  decodeRequest,
  decodeRevision,
  encodeAnswer,
  encodeRequest,
  encodeRevision,
  type Request,
} from './messages.ts';

/** As plain objects, which is what is decoded. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record<T>(model, { noNullPrototype: true });
const revision = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => revisionOf(value));
const value = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const key = fc.string({ unit: 'binary', maxLength: 20 });
const operation: fc.Arbitrary<BatchOperation> = fc.oneof(
  record({ op: fc.constant('create' as const), key, value }),
  record({ op: fc.constant('update' as const), key, value, expected: revision }),
  record({ op: fc.constant('delete' as const), key, expected: revision }),
);
const request: fc.Arbitrary<Request> = fc.oneof(
  record({
    kind: fc.constant('write' as const),
    transaction: record({
      operations: fc.array(operation, { maxLength: 5 }),
      guards: fc.array(record({ key, revision }), { maxLength: 3 }),
    }),
    ttlSeconds: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
    caller: key,
  }),
  record({ kind: fc.constant('compact' as const), revision }),
  fc.constant({ kind: 'health' as const }),
);
const written = (result: fc.Arbitrary<unknown>): fc.Arbitrary<Answer> =>
  result.map((one) => ({ kind: 'written', result: one }) as Answer);
const answer: fc.Arbitrary<Answer> = fc.oneof(
  written(record({ outcome: fc.constant('ok'), revision })),
  written(record({ outcome: fc.constant('conflict'), key })),
  written(record({ outcome: fc.constant('guarded'), guard: record({ key, revision }) })),
  fc.constant({ kind: 'compacted' as const }),
  fc
    .option(fc.string({ minLength: 1 }), { nil: undefined })
    .map((writesRefused) => ({ kind: 'health' as const, health: { writesRefused } })),
);

/** The frames of some bytes that come in pieces of a size. */
function framesOf(bytes: Buffer, size: number): Frame[] {
  const reader = new FrameReader();
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    frames.push(...reader.read(bytes.subarray(at, at + size)));
  }
  return frames;
}

const pieces = fc.integer({ min: 1, max: 100 });

describe('messages between processes that share a store', () => {
  it('are what was sent, wherever the socket cuts them (property)', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), pieces, (requests, size) => {
        const writer = new FrameWriter();
        requests.forEach((one, id) => encodeRequest(writer, id, one));
        const frames = framesOf(writer.take(), size);
        assert.deepEqual(
          frames.map(({ id }) => id),
          requests.map((_, id) => id),
        );
        assert.deepEqual(frames.map(decodeRequest), requests);
        assert.equal(writer.length, 0);
      }),
    );
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 8 }), pieces, (answers, size) => {
        const writer = new FrameWriter();
        encodeRevision(writer, revisionOf(7n));
        answers.forEach((one, id) => encodeAnswer(writer, id, one));
        const [first, ...others] = framesOf(writer.take(), size);
        assert.equal(decodeRevision(first!), 7n);
        assert.deepEqual(
          others.map(decodeRevision),
          others.map(() => undefined),
        );
        assert.deepEqual(others.map(decodeAnswer), answers);
      }),
    );
  });

  it('keep what kind of error one is', () => {
    const told = (error: Error): Error => {
      const writer = new FrameWriter();
      encodeAnswer(writer, 1, { kind: 'failed', error });
      const [frame] = framesOf(writer.take(), 1_000);
      const decoded = decodeAnswer(frame!);
      assert.ok(decoded.kind === 'failed');
      return decoded.error;
    };
    const codes: StoreErrorCode[] = [
      ...(['unavailable', 'timeout', 'compacted', 'futureRevision', 'tooLarge'] as const),
      ...(['outOfSpace', 'reset', 'denied', 'corrupt', 'cancelled'] as const),
    ];
    for (const code of codes) {
      const { message, ...error } = told(new StoreError(code, 'why')) as StoreError;
      assert.deepEqual([error.code, message], [code, 'why']);
    }
    const compactRevision = revisionOf(9n);
    const compacted = told(new StoreError('compacted', 'gone', { compactRevision }));
    assert.equal((compacted as StoreError).compactRevision, 9n);
    const other = told(new TypeError('a defect'));
    assert.deepEqual([other instanceof StoreError, other.message], [false, 'a defect']);
  });

  it('of a size or form that is never sent are refused', () => {
    const size = (length: number): Buffer => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(length);
      return bytes;
    };
    for (const length of [0, 4, MAX_FRAME_BYTES + 1, 2 ** 32 - 1]) {
      assert.throws(() => framesOf(size(length), 4), FrameError);
    }
    const writer = new FrameWriter();
    encodeRequest(writer, 1, {
      ...{ kind: 'write', ttlSeconds: 1, caller: 'a' },
      transaction: { operations: [{ op: 'create', key: 'k', value: Buffer.alloc(9) }], guards: [] },
    });
    const whole = writer.take();
    for (let cut = 1; cut < whole.length - 9; cut++) {
      const bytes = Buffer.from(whole.subarray(0, whole.length - cut));
      bytes.writeUInt32BE(bytes.length - 4);
      for (const frame of framesOf(bytes, 1_000)) {
        assert.throws(() => decodeRequest(frame), FrameError);
      }
    }
    const long = Buffer.concat([whole, Buffer.alloc(1)]);
    long.writeUInt32BE(long.length - 4);
    assert.throws(() => framesOf(long, 1_000).map(decodeRequest), FrameError);
  });
});
