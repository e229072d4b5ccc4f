import type { JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import type { FieldNumbers } from '../../schema/structure/typed-field.ts';

/**
 * What the numbers of a message mean: a field of the object, or a message whose
 * fields JSON shows as fields of the object itself (an embedded Go struct).
 */
export type Member = Field | Message;

export interface Field {
  readonly name: string;
  readonly schema: StructuralSchema;
}

/** The members of a message by their numbers. */
export type Message = ReadonlyMap<number, Member>;

const known = new WeakMap<FieldNumbers, Message>();

/** The message that a struct or union is, by the numbers that its schema has. */
export function messageOf({ typed, properties }: StructuralSchema): Message {
  const { numbers, variants } = typed ?? {};
  if (numbers === undefined) return NOTHING;
  let message = known.get(numbers);
  if (message === undefined) {
    message = numbered(numbers, (name) =>
      variants === undefined ? properties?.get(name) : variants[name as keyof typeof variants],
    );
    known.set(numbers, message);
  }
  return message;
}

const NOTHING: Message = new Map();

function numbered(
  numbers: FieldNumbers,
  schemaOf: (name: string) => StructuralSchema | undefined,
): Message {
  const message = new Map<number, Member>();
  for (const [name, number] of Object.entries(numbers)) {
    const schema = schemaOf(name);
    if (schema === undefined) throw new Error(`unknown field ${name} in numbers`);
    const path = typeof number === 'number' ? [number] : number;
    put(message, path, { name, schema });
  }
  return message;
}

function put(message: Map<number, Member>, path: readonly number[], field: Field): void {
  const [number, ...inside] = path;
  if (number === undefined) throw new Error(`the field ${field.name} has no number`);
  if (inside.length === 0) {
    if (message.has(number)) throw new Error(`the number of ${field.name} is taken: ${number}`);
    message.set(number, field);
    return;
  }
  const embedded = message.get(number) ?? new Map<number, Member>();
  if (!isMessage(embedded)) throw new Error(`the number of ${field.name} is taken: ${number}`);
  message.set(number, embedded);
  put(embedded as Map<number, Member>, inside, field);
}

/** Whether the member is an embedded message. */
export function isMessage(member: Member): member is Message {
  return member instanceof Map;
}

/** The schema of a map's values. */
export function valuesOf({ additionalProperties }: StructuralSchema): StructuralSchema {
  if (typeof additionalProperties !== 'object') throw new Error('a map without values');
  return additionalProperties;
}

/** The schema of a list's items. */
export function itemsOf({ items }: StructuralSchema): StructuralSchema {
  if (items === undefined) throw new Error('a list without items');
  return items;
}

/** What a map's entry without a value holds. */
export function zeroOf({ typed }: StructuralSchema): JsonValue {
  switch (typed?.kind) {
    case 'list':
      return [];
    case 'struct':
      return {};
    case 'quantity':
      return '0';
    case 'string':
    case 'bytes':
      return '';
    default:
      return null;
  }
}
