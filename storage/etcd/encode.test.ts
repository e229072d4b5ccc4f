import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytes, int64, key, messageType } from '../../test/support/etcd-proto.ts';
import { encodeRequest, encodeWatchRequest } from './encode.ts';
import type { Operation, TxnRequest } from './wire.ts';

const count = fc.nat();

/** What the other side understands, with defaults left out and integers as text. */
function understood(name: string, frame: Buffer): object {
  assert.equal(frame.readUInt8(), 0);
  assert.equal(frame.readUInt32BE(1), frame.length - 5);
  const message = messageType(name).decode(frame.subarray(5));
  return messageType(name).toObject(message, { longs: String, bytes: Buffer, enums: String });
}

/** Without the fields that have the value that absence means. */
function withoutDefaults(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => {
      return value !== '0' && value !== 0 && value !== false && (value as Buffer).length !== 0;
    }),
  );
}

describe('requests', () => {
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
