import { functionTable, globalOverload, type FunctionDeclaration } from '../types/declaration.ts';
import * as t from '../value/type.ts';
import type { CelType } from '../value/cel-type.ts';
import { intOf } from '../value/int.ts';
import { ArrayList } from '../value/list.ts';
import { EntryMap, mapKey } from '../value/map.ts';
import { parseDuration } from '../value/duration.ts';
import { parseTimestamp } from '../value/timestamp.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelTypeValue,
  CelUint,
  NO_SUCH_OVERLOAD,
  type CelValue,
} from '../value/value.ts';

/** The suites are protobuf messages written as JSON; these read the parts that need no message. */
type Json = Record<string, unknown>;

/** The case needs a message type, which this engine does not have. */
export class NeedsMessage extends Error {}

const PRIMITIVES: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    BOOL: t.BOOL,
    INT64: t.INT,
    UINT64: t.UINT,
    DOUBLE: t.DOUBLE,
    STRING: t.STRING,
    BYTES: t.BYTES,
  }),
);
const WELL_KNOWN: ReadonlyMap<string, CelType> = new Map(
  Object.entries({
    ANY: t.ANY,
    TIMESTAMP: t.TIMESTAMP,
    DURATION: t.DURATION,
  }),
);

function known(types: ReadonlyMap<string, CelType>, name: string): CelType {
  const type = types.get(name);
  if (type === undefined) throw new NeedsMessage(name);
  return type;
}

function readType(json: Json): CelType {
  const [kind = ''] = Object.keys(json);
  const value = json[kind] as Json;
  const name = json[kind] as string;
  switch (kind) {
    case 'dyn':
      return t.DYN;
    case 'null':
      return t.NULL;
    case 'primitive':
      return known(PRIMITIVES, name);
    case 'wrapper':
      return t.nullableType(known(PRIMITIVES, name));
    case 'wellKnown':
      return known(WELL_KNOWN, name);
    case 'typeParam':
      return t.typeParam(name);
    case 'listType':
      return t.listType(readType(value['elemType'] as Json));
    case 'mapType':
      return t.mapType(readType(value['keyType'] as Json), readType(value['valueType'] as Json));
    case 'messageType': {
      const type = [t.TIMESTAMP, t.DURATION].find((message) => message.name === name);
      if (type === undefined) throw new NeedsMessage(name);
      return type;
    }
    case 'abstractType': {
      const params = (value['parameterTypes'] ?? []) as Json[];
      return t.opaqueType(value['name'] as string, ...params.map(readType));
    }
    default:
      throw new NeedsMessage(kind);
  }
}

/** Declarations of a case: variables, and functions that only the checker needs. */
export function readTypeEnv(decls: readonly object[]): {
  variables: Record<string, CelType>;
  functions: FunctionDeclaration[];
} {
  const variables: Record<string, CelType> = {};
  const functions: FunctionDeclaration[] = [];
  for (const decl of decls as Json[]) {
    const name = decl['name'] as string;
    if (decl['ident'] !== undefined) {
      variables[name] = readType((decl['ident'] as { type: Json }).type);
      continue;
    }
    const { overloads } = decl['function'] as { overloads: Json[] };
    functions.push({
      name,
      overloads: overloads.map((overload) => ({
        ...globalOverload(
          overload['overloadId'] as string,
          ((overload['params'] ?? []) as Json[]).map(readType),
          readType(overload['resultType'] as Json),
          () => NO_SUCH_OVERLOAD,
        ),
        member: overload['isInstanceFunction'] === true,
      })),
    });
  }
  return { variables, functions: [...functionTable(functions).values()] };
}

const TYPES = [t.BOOL, t.INT, t.UINT, t.DOUBLE, t.STRING, t.BYTES, t.NULL, t.LIST, t.MAP, t.TYPE];

export function readValue(json: Json): CelValue {
  const [kind = ''] = Object.keys(json);
  const value = json[kind];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value as string | boolean;
    case 'int64Value':
      return intOf(BigInt(value as string));
    case 'uint64Value':
      return new CelUint(BigInt(value as string));
    case 'doubleValue':
      return new CelDouble(Number(value));
    case 'bytesValue':
      return new CelBytes(Buffer.from(value as string, 'base64'));
    case 'typeValue': {
      const all = [...TYPES, t.TIMESTAMP, t.DURATION, t.optionalType(t.DYN)];
      const type = all.find(({ name }) => name === value);
      if (type === undefined) throw new NeedsMessage(value as string);
      return new CelTypeValue(type);
    }
    case 'listValue':
      return new ArrayList(
        (((value as Json)['values'] as Json[] | undefined) ?? []).map(readValue),
      );
    case 'mapValue':
      return readMap(((value as Json)['entries'] ?? []) as { key: Json; value: Json }[]);
    case 'objectValue':
      return readObject(value as Json);
    default:
      throw new NeedsMessage(kind);
  }
}

function readMap(entries: { key: Json; value: Json }[]): CelValue {
  const map = new EntryMap();
  for (const { key, value } of entries) {
    const k = readValue(key);
    map.insert(mapKey(k) ?? '', k, readValue(value));
  }
  return map;
}

function readObject(json: Json): CelValue {
  const text = json['value'] as string;
  switch (json['@type']) {
    case 'type.googleapis.com/google.protobuf.Duration':
      return new CelDuration(parseDuration(text) ?? 0n);
    case 'type.googleapis.com/google.protobuf.Timestamp':
      return parseTimestamp(text) ?? null;
    default:
      throw new NeedsMessage(json['@type'] as string);
  }
}
