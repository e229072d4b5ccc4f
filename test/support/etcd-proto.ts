import { createRequire } from 'node:module';
import fc from 'fast-check';
import protobuf from 'protobufjs';

/** etcd's own definitions, read by an independent implementation of protocol buffers. */
const definitions = protobuf.loadSync(
  createRequire(import.meta.url).resolve('etcd3/proto/rpc.proto'),
);

export function messageType(name: string): protobuf.Type {
  return definitions.lookupType(`etcdserverpb.${name}`);
}

export const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
export const key = bytes.filter(({ length }) => length > 0);
export const int64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 1n << 50n }),
  fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }),
);
