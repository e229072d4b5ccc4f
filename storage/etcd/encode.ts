import { ProtobufWriter } from '../../api/protobuf/writer.ts';
import type {
  Condition,
  Method,
  Methods,
  Operation,
  RangeRequest,
  TxnRequest,
  WatchRequest,
} from './wire.ts';

/** More than tags, lengths and integers of any one operation take. */
const OPERATION_BYTES = 64;

/** Fields are written from the last to the first; numbers are those of etcd's rpc.proto. */
type Encoders = { readonly [M in Method]: (request: Methods[M]['request']) => Buffer };

const ENCODERS: Encoders = {
  range(request) {
    const writer = new ProtobufWriter(rangeBytes(request) + OPERATION_BYTES);
    writeRange(writer, request);
    return writer.frame();
  },
  txn(request) {
    const writer = new ProtobufWriter(txnBytes(request));
    for (const operation of request.failure.toReversed()) writeOperation(writer, 3, operation);
    for (const operation of request.success.toReversed()) writeOperation(writer, 2, operation);
    for (const condition of request.conditions.toReversed()) writeCondition(writer, condition);
    return writer.frame();
  },
  compact({ revision }) {
    const writer = new ProtobufWriter(OPERATION_BYTES);
    writer.integer(1, revision);
    return writer.frame();
  },
  leaseGrant({ ttlSeconds }) {
    const writer = new ProtobufWriter(OPERATION_BYTES);
    writer.integer(1, ttlSeconds);
    return writer.frame();
  },
  // Action "get", all members, all kinds: every field has its default.
  alarms: emptyMessage,
  status: emptyMessage,
  authenticate({ name, password }) {
    const writer = new ProtobufWriter(OPERATION_BYTES + 3 * (name.length + password.length));
    writer.bytes(2, Buffer.from(password));
    writer.bytes(1, Buffer.from(name));
    return writer.frame();
  },
};

/** A request as a gRPC message, ready to be sent. */
export function encodeRequest<M extends Method>(method: M, request: Methods[M]['request']): Buffer {
  return ENCODERS[method](request);
}

/** A message with its gRPC head; without `create` it asks for progress. */
export function encodeWatchRequest(request: WatchRequest): Buffer {
  const writer = new ProtobufWriter(OPERATION_BYTES + ('create' in request ? 2_048 : 0));
  const mark = writer.mark();
  if (!('create' in request)) {
    writer.message(3, mark);
    return writer.frame();
  }
  const { key, rangeEnd, startRevision, progressNotify, previous, fragment } = request.create;
  writer.flag(8, fragment);
  writer.flag(6, previous);
  writer.flag(4, progressNotify);
  writer.integer(3, startRevision);
  if (rangeEnd !== undefined) writer.bytes(2, rangeEnd);
  writer.bytes(1, key);
  writer.message(1, mark);
  return writer.frame();
}

function emptyMessage(): Buffer {
  return new ProtobufWriter(5).frame();
}

function writeRange(writer: ProtobufWriter, request: RangeRequest): void {
  const { key, rangeEnd, limit, revision, keysOnly, countOnly } = request;
  writer.flag(9, countOnly);
  writer.flag(8, keysOnly);
  if (revision !== undefined) writer.integer(4, revision);
  if (limit !== undefined) writer.integer(3, limit);
  if (rangeEnd !== undefined) writer.bytes(2, rangeEnd);
  writer.bytes(1, key);
}

function writeOperation(writer: ProtobufWriter, field: number, operation: Operation): void {
  const outer = writer.mark();
  const inner = writer.mark();
  if ('range' in operation) {
    writeRange(writer, operation.range);
    writer.message(1, inner);
  } else if ('put' in operation) {
    const { key, value, lease } = operation.put;
    if (lease !== undefined) writer.integer(3, lease);
    writer.bytes(2, value);
    writer.bytes(1, key);
    writer.message(2, inner);
  } else {
    writer.bytes(1, operation.delete.key);
    writer.message(3, inner);
  }
  writer.message(field, outer);
}

/** result 0 is "equal", target 2 is "mod". */
function writeCondition(writer: ProtobufWriter, { key, modRevision }: Condition): void {
  const mark = writer.mark();
  writer.chosen(6, modRevision);
  writer.bytes(3, key);
  writer.integer(2, 2);
  writer.message(1, mark);
}

function rangeBytes({ key, rangeEnd }: RangeRequest): number {
  return key.length + (rangeEnd?.length ?? 0);
}

function txnBytes({ conditions, success, failure }: TxnRequest): number {
  let bytes = OPERATION_BYTES;
  for (const { key } of conditions) bytes += key.length + OPERATION_BYTES;
  for (const operation of success) bytes += operationBytes(operation);
  for (const operation of failure) bytes += operationBytes(operation);
  return bytes;
}

function operationBytes(operation: Operation): number {
  if ('range' in operation) return rangeBytes(operation.range) + OPERATION_BYTES;
  if ('delete' in operation) return operation.delete.key.length + OPERATION_BYTES;
  return operation.put.key.length + operation.put.value.length + OPERATION_BYTES;
}
