import { isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { JsonSyntaxError } from '../../api/json-error.ts';
import { MAX_JSON_DEPTH, MAX_REQUEST_FIELDS, parseLargeJson } from '../../api/json-parse.ts';
import { nextTurn } from '../../api/turn.ts';
import { ProtobufError, type ProtobufReader } from '../../api/protobuf/reader.ts';
import { WIRE } from '../../api/protobuf/wire-type.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import {
  isMessage,
  itemsOf,
  messageOf,
  valuesOf,
  zeroOf,
  type Field,
  type Message,
} from './message.ts';

import { readIntOrString, readText, readTime, signed } from './scalars.ts';

type Place = (value: JsonValue) => void;

/** JSON inside a message, and where its value belongs. */
interface PendingJson {
  readonly text: string;
  readonly place: Place;
}

/** A message that is being read, inside of those below it on the stack. */
interface Frame {
  readonly reader: ProtobufReader;
  /** Reads one field, whose tag has been read. */
  readonly read: (number: number) => void;
  readonly end: () => void;
}

/** So many fields are read in one turn of the event loop. */
const FIELDS_PER_TURN = 2_000;

/**
 * Reads messages as the JSON of their kinds, by the numbers that schemas have.
 * Unknown fields are skipped; a field that occurs twice counts once, or is
 * joined where it is a message. One decoder reads one body: it holds to the
 * limits of JSON bodies on depth and on the number of fields, and reads large
 * bodies over several turns of the event loop.
 */
export class MessageDecoder {
  #fields = 0;
  readonly #stack: Frame[] = [];
  readonly #pending: PendingJson[] = [];

  /** @throws ProtobufError (as rejection) */
  async decode(reader: ProtobufReader, schema: StructuralSchema): Promise<JsonObject> {
    const object: JsonObject = {};
    this.#enterMessage(reader, messageOf(schema), object);
    while (this.#readFields(FIELDS_PER_TURN)) await nextTurn();
    for (const pending of this.#pending) await this.#readJson(pending);
    return object;
  }

  /** Reads up to so many fields; false when there are no more. */
  #readFields(limit: number): boolean {
    for (let i = 0; i < limit; i++) {
      const frame = this.#stack.at(-1);
      if (frame === undefined) return false;
      const field = frame.reader.next();
      if (field !== 0) {
        frame.read(field);
        continue;
      }
      this.#stack.pop();
      frame.end();
    }
    return true;
  }

  #count(): void {
    if (++this.#fields > MAX_REQUEST_FIELDS) {
      throw new ProtobufError(`exceeded max number of ${MAX_REQUEST_FIELDS} fields`);
    }
  }

  #enter(frame: Frame): void {
    if (this.#stack.push(frame) > MAX_JSON_DEPTH) {
      throw new ProtobufError(`exceeded max depth of ${MAX_JSON_DEPTH}`);
    }
  }

  #enterMessage(
    reader: ProtobufReader,
    message: Message,
    into: JsonObject,
    end: () => void = nothing,
  ): void {
    const read = (number: number): void => {
      const member = message.get(number);
      if (member === undefined) {
        reader.skip();
      } else if (isMessage(member)) {
        reader.expect(WIRE.BYTES, String(number));
        this.#enterMessage(reader.nested(), member, into);
      } else {
        this.#readField(reader, member, into);
      }
    };
    this.#enter({ reader, read, end });
  }

  #readField(reader: ProtobufReader, field: Field, into: JsonObject): void {
    const { name, schema } = field;
    const present = into[name];
    this.#count();
    if (schema.typed?.kind === 'map') {
      reader.expect(WIRE.BYTES, name);
      const map = isObject(present) ? present : {};
      into[name] = map;
      this.#enterEntry(reader.nested(), name, valuesOf(schema), map);
    } else if (schema.typed?.kind === 'list') {
      const list = Array.isArray(present) ? present : [];
      into[name] = list;
      this.#readItem(reader, field, list);
    } else {
      this.#readValue(reader, field, present, (value) => {
        into[name] = value;
      });
    }
  }

  #readItem(reader: ProtobufReader, { name, schema }: Field, list: JsonValue[]): void {
    const index = list.push(null) - 1;
    const item = { name, schema: itemsOf(schema) };
    this.#readValue(reader, item, undefined, (value) => {
      list[index] = value;
    });
  }

  /** A map's entry is a message of its key and its value. */
  #enterEntry(
    reader: ProtobufReader,
    name: string,
    schema: StructuralSchema,
    map: JsonObject,
  ): void {
    let key = '';
    let value: JsonValue = zeroOf(schema);
    let isEnded = false;
    const place = (read: JsonValue): void => {
      value = read;
      // JSON inside the value is read when everything else has been
      if (isEnded) setOwn(map, key, value);
    };
    const read = (number: number): void => {
      if (number === ENTRY.KEY) {
        reader.expect(WIRE.BYTES, name);
        key = reader.text();
      } else if (number === ENTRY.VALUE) {
        this.#readValue(reader, { name, schema }, value, place);
      } else {
        reader.skip();
      }
    };
    const end = (): void => {
      isEnded = true;
      setOwn(map, key, value);
    };
    this.#enter({ reader, read, end });
  }

  /** Hands the value to `place`, now or later; `present` is what the same field held before. */
  #readValue(
    reader: ProtobufReader,
    field: Field,
    present: JsonValue | undefined,
    place: Place,
  ): void {
    const { name, schema } = field;
    switch (schema.typed?.kind) {
      case 'boolean':
        reader.expect(WIRE.VARINT, name);
        place(Number(reader.integer()) !== 0);
        return;
      case 'int32':
        reader.expect(WIRE.VARINT, name);
        place(signed(reader.integer(), 32));
        return;
      case 'int64':
        reader.expect(WIRE.VARINT, name);
        place(signed(reader.integer(), 64));
        return;
      case 'float64':
        reader.expect(WIRE.FIXED64, name);
        place(reader.double());
        return;
      default:
        reader.expect(WIRE.BYTES, name);
        this.#readBytes(reader, field, present, place);
    }
  }

  /** A value of which the length is written before it. */
  #readBytes(
    reader: ProtobufReader,
    field: Field,
    present: JsonValue | undefined,
    place: Place,
  ): void {
    const { schema } = field;
    const kind = schema.typed?.kind;
    switch (kind) {
      case 'string':
        place(reader.text());
        return;
      case 'bytes':
        place(reader.bytes().toString('base64'));
        return;
      case 'time':
      case 'microTime':
        place(readTime(reader.nested(), kind));
        return;
      case 'quantity':
        place(readText(reader.nested()) ?? '0');
        return;
      case 'intOrString':
        place(readIntOrString(reader.nested()));
        return;
      case 'json':
      case 'raw':
        this.#pending.push({ text: readText(reader.nested()) ?? '', place });
        return;
      case 'list':
        this.#enterList(reader.nested(), field, place);
        return;
      case 'union':
        this.#enterUnion(reader.nested(), schema, place);
        return;
      default: {
        const object = isObject(present) ? present : {};
        place(object);
        this.#enterMessage(reader.nested(), messageOf(schema), object);
      }
    }
  }

  /** A list where it is a message of its own, as the value of a map. */
  #enterList(reader: ProtobufReader, field: Field, place: Place): void {
    const list: JsonValue[] = [];
    place(list);
    const read = (number: number): void => {
      this.#count();
      if (number === ITEMS) this.#readItem(reader, field, list);
      else reader.skip();
    };
    this.#enter({ reader, read, end: nothing });
  }

  /** A boolean is always written, so that the other variants go first. */
  #enterUnion(reader: ProtobufReader, schema: StructuralSchema, place: Place): void {
    const read: JsonObject = {};
    this.#enterMessage(reader, messageOf(schema), read, () =>
      place(read['array'] ?? read['object'] ?? read['boolean'] ?? null),
    );
  }

  async #readJson({ text, place }: PendingJson): Promise<void> {
    if (text === '') {
      place(null);
      return;
    }
    try {
      const { value } = await parseLargeJson(text, {
        maxFields: MAX_REQUEST_FIELDS - this.#fields,
      });
      this.#fields += fieldsIn(value);
      place(value);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw new ProtobufError(error.message, { cause: error });
    }
  }
}

const ENTRY = { KEY: 1, VALUE: 2 } as const;
const ITEMS = 1;

function nothing(): void {
  // a message that is read in place has no end of its own
}

/** As bodies of JSON are counted: keys of objects, and lists. */
function fieldsIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 1 : Math.max(1, items.length);
  for (const item of items) if (typeof item === 'object') count += fieldsIn(item);
  return count;
}
