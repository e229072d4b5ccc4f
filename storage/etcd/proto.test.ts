import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { decodeResponse, decodeWatchResponse } from './decode.ts';
import { encodeRequest, encodeWatchRequest } from './encode.ts';
import { FrameParser } from './grpc-frames.ts';
import { ProtoError } from './proto-reader.ts';
import type { Operation, TxnRequest } from './wire.ts';

/** etcd's own definitions, read by an independent implementation. */
const definitions = protobuf.loadSync(
  createRequire(import.meta.url).resolve('etcd3/proto/rpc.proto'),
);
const type = (name: string): protobuf.Type => definitions.lookupType(`etcdserverpb.${name}`);

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const key = bytes.filter(({ length }) => length > 0);
const int64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 1n << 50n }),
  fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
);
const count = fc.nat();

/** What the other side understands, with defaults left out and integers as text. */
function understood(name: string, frame: Buffer): object {
  assert.equal(frame.readUInt8(), 0);
  assert.equal(frame.readUInt32BE(1), frame.length - 5);
  const message = type(name).decode(frame.subarray(5));
  return type(name).toObject(message, { longs: String, bytes: Buffer, enums: String });
}

function sent(name: string, message: object): Buffer {
  return Buffer.from(type(name).encode(type(name).fromObject(message)).finish());
}

/** Without the fields that have the value that absence means. */
function withoutDefaults(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => {
      return value !== '0' && value !== 0 && value !== false && (value as Buffer).length !== 0;
    }),
  );
}

describe('protocol', () => {
  it('writes ranges as etcd reads them', () => {
    fc.assert(
      fc.property(
        key,
        bytes,
        count,
        int64,
        fc.boolean(),
        fc.boolean(),
        (k, rangeEnd, limit, revision, keysOnly, countOnly) => {
          const frame = encodeRequest('range', {
            key: k,
            rangeEnd,
            limit,
            revision,
            keysOnly,
            countOnly,
          });
          const expected = {
            key: k,
            rangeEnd,
            limit: String(limit),
            revision: String(revision),
            keysOnly,
            countOnly,
          };
          assert.deepEqual(understood('RangeRequest', frame), withoutDefaults(expected));
        },
      ),
    );
  });

  it('writes transactions as etcd reads them', () => {
    const operation = fc.oneof<fc.Arbitrary<Operation>[]>(
      fc.record({ key, value: bytes, lease: int64 }).map((put) => ({ put })),
      key.map((k) => ({ delete: { key: k } })),
      fc.record({ key, revision: int64 }).map((range) => ({ range })),
    );
    const condition = fc.record({ key, modRevision: int64 });
    const request: fc.Arbitrary<TxnRequest> = fc.record({
      conditions: fc.array(condition, { maxLength: 4 }),
      success: fc.array(operation, { maxLength: 4 }),
      failure: fc.array(operation, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(request, (txn) => {
        const read = understood('TxnRequest', encodeRequest('txn', txn)) as Record<
          string,
          unknown[]
        >;
        const compare = txn.conditions.map(({ key: k, modRevision }) => {
          return { target: 'Mod', key: k, modRevision: String(modRevision) };
        });
        assert.deepEqual(read['compare'] ?? [], compare);
        assert.deepEqual(read['success'] ?? [], txn.success.map(asRead));
        assert.deepEqual(read['failure'] ?? [], txn.failure.map(asRead));
      }),
    );
  });

  it('writes the small requests as etcd reads them', () => {
    fc.assert(
      fc.property(
        int64,
        count,
        fc.string(),
        fc.string(),
        (revision, ttlSeconds, name, password) => {
          const compact = understood('CompactionRequest', encodeRequest('compact', { revision }));
          assert.deepEqual(compact, withoutDefaults({ revision: String(revision) }));
          const lease = understood(
            'LeaseGrantRequest',
            encodeRequest('leaseGrant', { ttlSeconds }),
          );
          assert.deepEqual(lease, withoutDefaults({ TTL: String(ttlSeconds) }));
          const user = encodeRequest('authenticate', { name, password });
          const wellFormed = { name: name.toWellFormed(), password: password.toWellFormed() };
          const filled = Object.entries(wellFormed).filter(([, value]) => value !== '');
          assert.deepEqual(understood('AuthenticateRequest', user), Object.fromEntries(filled));
        },
      ),
    );
    assert.deepEqual(understood('AlarmRequest', encodeRequest('alarms', undefined)), {});
    assert.deepEqual(understood('StatusRequest', encodeRequest('status', undefined)), {});
    assert.deepEqual(understood('WatchRequest', encodeWatchRequest({ progress: true })), {
      progressRequest: {},
    });
  });

  it('writes watches as etcd reads them', () => {
    fc.assert(
      fc.property(key, bytes, int64, fc.boolean(), (k, rangeEnd, startRevision, flag) => {
        const create = {
          key: k,
          rangeEnd,
          startRevision,
          progressNotify: flag,
          previous: flag,
          fragment: flag,
        };
        const expected = {
          key: k,
          rangeEnd,
          startRevision: String(startRevision),
          progressNotify: flag,
          prevKv: flag,
          fragment: flag,
        };
        assert.deepEqual(understood('WatchRequest', encodeWatchRequest({ create })), {
          createRequest: withoutDefaults(expected),
        });
      }),
    );
  });

  const header = fc.record({
    clusterId: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
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

  it('fails on bytes that are none of it, and never hangs', () => {
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
            assert.ok(error instanceof ProtoError, String(error));
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
});

/** As protobufjs shows an operation. */
function asRead(operation: Operation): object {
  if ('delete' in operation) return { requestDeleteRange: { key: operation.delete.key } };
  if ('range' in operation) {
    const { key: k, revision } = operation.range;
    return { requestRange: withoutDefaults({ key: k, revision: String(revision) }) };
  }
  const { key: k, value, lease } = operation.put;
  return { requestPut: withoutDefaults({ key: k, value, lease: String(lease) }) };
}
