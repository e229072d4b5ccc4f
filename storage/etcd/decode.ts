import { ProtobufError, ProtobufReader } from '../../api/protobuf/reader.ts';
import type {
  Alarm,
  KeyValue,
  Method,
  Methods,
  RangeResponse,
  ResponseHeader,
  TxnResponse,
  WatchEvent,
  WatchResponse,
} from './wire.ts';

/** Numbers of fields are those of etcd's rpc.proto; unknown ones are skipped. */
type Decoders = { readonly [M in Method]: (reader: ProtobufReader) => Methods[M]['response'] };

const EMPTY: Buffer = Buffer.alloc(0);
const NO_HEADER: ResponseHeader = { clusterId: 0n, revision: 0n };

const DECODERS: Decoders = {
  range: (reader) => ofCluster(readRange(reader)),
  txn: (reader) => ofCluster(readTxn(reader)),
  compact: () => undefined,
  leaseGrant(reader) {
    let id = 0n;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 2) id = reader.bigint();
      else reader.skip();
    }
    if (id === 0n) throw new ProtobufError('a lease without a number');
    return { id };
  },
  alarms(reader) {
    const alarms: Alarm[] = [];
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 2) alarms.push(reader.message(readAlarm));
      else reader.skip();
    }
    return { alarms };
  },
  status(reader) {
    let header = NO_HEADER;
    let version = '';
    let sizeBytes = 0;
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) header = reader.message(readHeader);
      else if (field === 2) version = reader.text();
      else if (field === 3) sizeBytes = reader.number();
      else reader.skip();
    }
    return { header, version, sizeBytes };
  },
  authenticate(reader) {
    let token = '';
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 2) token = reader.text();
      else reader.skip();
    }
    return { token };
  },
};

/**
 * A response from the bytes of its message. Keys and values share their memory.
 *
 * @throws ProtobufError
 */
export function decodeResponse<M extends Method>(method: M, bytes: Buffer): Methods[M]['response'] {
  return DECODERS[method](new ProtobufReader(bytes));
}

/** @throws ProtobufError */
export function decodeWatchResponse(bytes: Buffer): WatchResponse {
  const reader = new ProtobufReader(bytes);
  let header = NO_HEADER;
  let created = false;
  let canceled = false;
  let compactRevision = 0n;
  let cancelReason = '';
  let fragment = false;
  const events: WatchEvent[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 11) events.push(reader.message(readEvent));
    else if (field === 1) header = reader.message(readHeader);
    else if (field === 3) created = reader.boolean();
    else if (field === 4) canceled = reader.boolean();
    else if (field === 5) compactRevision = reader.bigint();
    else if (field === 6) cancelReason = reader.text();
    else if (field === 7) fragment = reader.boolean();
    else reader.skip();
  }
  const response = { header, created, canceled, compactRevision, cancelReason, fragment, events };
  return canceled ? response : ofCluster(response);
}

/**
 * An empty message can be read, too: it would be an empty store, on another cluster.
 *
 * @throws ProtobufError
 */
function ofCluster<T extends { readonly header: ResponseHeader }>(response: T): T {
  if (response.header.clusterId === 0n) throw new ProtobufError('an answer that names no cluster');
  return response;
}

function readHeader(reader: ProtobufReader): ResponseHeader {
  let clusterId = 0n;
  let revision = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) clusterId = reader.bigint();
    else if (field === 3) revision = reader.bigint();
    else reader.skip();
  }
  return { clusterId, revision };
}

function readKeyValue(reader: ProtobufReader): KeyValue {
  let key: Buffer = EMPTY;
  let createRevision = 0n;
  let modRevision = 0n;
  let value: Buffer = EMPTY;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = reader.bytes();
    else if (field === 2) createRevision = reader.bigint();
    else if (field === 3) modRevision = reader.bigint();
    else if (field === 5) value = reader.bytes();
    else reader.skip();
  }
  return { key, createRevision, modRevision, value };
}

function readRange(reader: ProtobufReader): RangeResponse {
  let header = NO_HEADER;
  const kvs: KeyValue[] = [];
  let more = false;
  let count = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) kvs.push(reader.message(readKeyValue));
    else if (field === 1) header = reader.message(readHeader);
    else if (field === 3) more = reader.boolean();
    else if (field === 4) count = reader.number();
    else reader.skip();
  }
  return { header, kvs, more, count };
}

function readTxn(reader: ProtobufReader): TxnResponse {
  let header = NO_HEADER;
  let succeeded = false;
  const ranges: (RangeResponse | undefined)[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) header = reader.message(readHeader);
    else if (field === 2) succeeded = reader.boolean();
    else if (field === 3) ranges.push(reader.message(readOperation));
    else reader.skip();
  }
  return { header, succeeded, ranges };
}

function readOperation(reader: ProtobufReader): RangeResponse | undefined {
  let range: RangeResponse | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) range = reader.message(readRange);
    else reader.skip();
  }
  return range;
}

function readEvent(reader: ProtobufReader): WatchEvent {
  let deleted = false;
  let kv: KeyValue | undefined;
  let previous: KeyValue | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) deleted = reader.number() === 1;
    else if (field === 2) kv = reader.message(readKeyValue);
    else if (field === 3) previous = reader.message(readKeyValue);
    else reader.skip();
  }
  return { deleted, kv: kv ?? NO_KEY_VALUE, previous };
}

const NO_KEY_VALUE: KeyValue = { key: EMPTY, createRevision: 0n, modRevision: 0n, value: EMPTY };

function readAlarm(reader: ProtobufReader): Alarm {
  let kind = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) kind = reader.number();
    else reader.skip();
  }
  return kind === 1 ? 'noSpace' : kind === 2 ? 'corrupt' : 'other';
}
