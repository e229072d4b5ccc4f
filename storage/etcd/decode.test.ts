import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytes, int64, key, messageType } from '../../test/support/etcd-proto.ts';
import { decodeResponse, decodeWatchResponse } from './decode.ts';
import { FrameParser, MessageTooLargeError } from './grpc-frames.ts';
import { ProtobufError } from '../../api/protobuf/reader.ts';

const count = fc.nat();

function sent(name: string, message: object): Buffer {
  return Buffer.from(messageType(name).encode(messageType(name).fromObject(message)).finish());
}

describe('responses', () => {
  const header = fc.record({
    clusterId: fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }),
    memberId: int64,
    revision: int64,
    raftTerm: int64,
  });
  const keyValue = fc.record({
    key,
    createRevision: int64,
    modRevision: int64,
    version: int64,
    value: bytes,
    lease: int64,
  });
  const text = (record: Record<string, unknown>): Record<string, unknown> => {
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? String(value) : value,
      ]),
    );
  };
  const kvOf = ({
    key: k,
    createRevision,
    modRevision,
    value,
  }: {
    key: Buffer;
    createRevision: bigint;
    modRevision: bigint;
    value: Buffer;
  }): object => {
    return { key: k, createRevision, modRevision, value };
  };

  it('reads ranges as etcd writes them', () => {
    fc.assert(
      fc.property(
        header,
        fc.array(keyValue, { maxLength: 5 }),
        fc.boolean(),
        count,
        (h, kvs, more, total) => {
          const message = sent('RangeResponse', {
            header: text(h),
            kvs: kvs.map(text),
            more,
            count: total,
          });
          const { clusterId, revision } = h;
          const expected = {
            header: { clusterId, revision },
            kvs: kvs.map(kvOf),
            more,
            count: total,
          };
          assert.deepEqual(decodeResponse('range', message), expected);
        },
      ),
    );
  });

  it('reads watches as etcd writes them', () => {
    const event = fc.record({
      type: fc.constantFrom('Put', 'Delete'),
      kv: keyValue,
      prevKv: fc.option(keyValue, { nil: undefined }),
    });
    fc.assert(
      fc.property(
        header,
        fc.boolean(),
        int64,
        fc.string(),
        fc.array(event, { maxLength: 4 }),
        (h, flag, compactRevision, cancelReason, events) => {
          const message = sent('WatchResponse', {
            header: text(h),
            watchId: '7',
            created: flag,
            canceled: flag,
            compactRevision: String(compactRevision),
            cancelReason,
            fragment: flag,
            events: events.map(({ type: kind, kv, prevKv }) => {
              return {
                type: kind,
                kv: text(kv),
                ...(prevKv === undefined ? {} : { prevKv: text(prevKv) }),
              };
            }),
          });
          const { clusterId, revision } = h;
          assert.deepEqual(decodeWatchResponse(message), {
            header: { clusterId, revision },
            created: flag,
            canceled: flag,
            compactRevision,
            cancelReason: cancelReason.toWellFormed(),
            fragment: flag,
            events: events.map(({ type: kind, kv, prevKv }) => {
              return { deleted: kind === 'Delete', kv: kvOf(kv), previous: prevKv && kvOf(prevKv) };
            }),
          });
        },
      ),
    );
  });

  it('reads the small responses as etcd writes them', () => {
    const status = sent('StatusResponse', {
      header: { revision: '9' },
      version: '3.5.1',
      dbSize: '4096',
      errors: ['x'],
    });
    assert.deepEqual(decodeResponse('status', status), {
      header: { clusterId: 0n, revision: 9n },
      version: '3.5.1',
      sizeBytes: 4096,
    });
    const alarms = sent('AlarmResponse', {
      alarms: [{ memberID: '1', alarm: 'Nospace' }, { alarm: 'Corrupt' }],
    });
    assert.deepEqual(decodeResponse('alarms', alarms), { alarms: ['noSpace', 'corrupt'] });
    const lease = sent('LeaseGrantResponse', { ID: '7587862094993539079', TTL: '5' });
    assert.deepEqual(decodeResponse('leaseGrant', lease), { id: 7587862094993539079n });
    assert.deepEqual(
      decodeResponse('authenticate', sent('AuthenticateResponse', { token: 'a.1' })),
      { token: 'a.1' },
    );
  });

  it('takes no empty message for an empty store', () => {
    const empty = Buffer.alloc(0);
    for (const method of ['range', 'txn', 'leaseGrant'] as const) {
      assert.throws(() => decodeResponse(method, empty), ProtobufError);
    }
    assert.throws(() => decodeWatchResponse(empty), ProtobufError);
  });

  it('fails on invalid bytes, and never hangs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        for (const read of [
          () => decodeResponse('range', Buffer.from(array)),
          () => decodeResponse('txn', Buffer.from(array)),
          () => decodeWatchResponse(Buffer.from(array)),
        ]) {
          try {
            read();
          } catch (error) {
            assert.ok(error instanceof ProtobufError, String(error));
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds messages in a stream, wherever it is cut', () => {
    const message = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
    const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), cuts, (messages, sizes) => {
        const frames = messages.map((body) => {
          const prefix = Buffer.alloc(5);
          prefix.writeUInt32BE(body.length, 1);
          return Buffer.concat([prefix, body]);
        });
        const stream = Buffer.concat(frames);
        const parser = new FrameParser();
        const found: Buffer[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          parser.push(stream.subarray(at, at + size), (body) => found.push(Buffer.from(body)));
          at += size;
        }
        assert.deepEqual(found, messages);
        assert.ok(parser.empty);
      }),
    );
  });

  it('refuses a message that is too large as soon as its length has come', () => {
    const parser = new FrameParser(1_000);
    const unwanted = (): void => assert.fail('a message');
    parser.push(Buffer.from([0, 0, 0, 3]), unwanted);
    assert.throws(() => parser.push(Buffer.from([0xe9]), unwanted), MessageTooLargeError);
    let bytes = 0;
    new FrameParser(1_000).push(
      Buffer.concat([Buffer.from([0, 0, 0, 3, 0xe8]), Buffer.alloc(1_000)]),
      (message) => {
        bytes = message.length;
      },
    );
    assert.equal(bytes, 1_000);
  });
});
