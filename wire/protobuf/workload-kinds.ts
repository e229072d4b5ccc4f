import {
  boolean,
  bytes,
  float64,
  int32,
  int64,
  intOrString,
  list,
  map,
  microTime,
  quantity,
  raw,
  string,
  struct,
  time,
  type FieldOptions,
  type Fields,
} from '../../schema/dsl.ts';
import { Condition, LabelSelector } from '../../schema/meta-types.ts';
import { listKind, ObjectMeta } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import type { FieldNumbers } from '../../schema/structure/typed-field.ts';
import { CORE_MESSAGES_A_TO_M } from './messages-core-a-to-m.ts';
import { CORE_MESSAGES_N_TO_Z } from './messages-core-n-to-z.ts';
import { OTHER_MESSAGES } from './messages-workloads.ts';

/*
 * Kinds that are not built in, and that definitions bring with `--allow-builtin-groups`:
 * typed clients send them as protobuf whatever the server says of them.
 */

/** What stands for a type in the tables; of these, a pointer has `*` before it, what is never left out `!`. */
const SCALARS: Readonly<Record<string, (options: FieldOptions) => StructuralSchema>> = {
  s: string,
  b: boolean,
  i: int32,
  l: int64,
  d: float64,
  y: bytes,
};
/** Types that are messages, and are described elsewhere. */
const MESSAGES: Readonly<Record<string, StructuralSchema>> = {
  T: time(),
  M: microTime(),
  Q: quantity(),
  N: intOrString(),
  R: raw(),
  'meta.ObjectMeta': ObjectMeta,
  'meta.LabelSelector': LabelSelector,
  'meta.Condition': Condition,
};

/** The fields of each message, by the name of the message behind that of its section. */
let lines: ReadonlyMap<string, string> | undefined;
const made = new Map<string, StructuralSchema>();

/** The schema of a workload kind or of a list of them, under either name of its group. */
export function workloadSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  if (kind.endsWith('List')) {
    const item = workloadSchema(apiVersion, kind.slice(0, -'List'.length));
    return item === undefined ? undefined : listKind(kind, item);
  }
  const section = sectionOf(apiVersion);
  lines ??= new Map([CORE_MESSAGES_A_TO_M, CORE_MESSAGES_N_TO_Z, OTHER_MESSAGES].flatMap(read));
  const fields = lines.get(`${section} ${kind}`);
  // what is a kind has metadata
  if (fields?.startsWith('metadata:1:') !== true || kind.endsWith('TemplateSpec')) return undefined;
  return messageSchema(section, kind);
}

/** `networking.k8s.io/v1` → `networking/v1`, and `v1` → `core/v1`. */
function sectionOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/');
  if (version === undefined) return `core/${group}`;
  return `${group.replace(/\.(?:k8s|cluster)\.io$/, '')}/${version}`;
}

function read(table: string): [name: string, fields: string][] {
  let section = '';
  const messages: [string, string][] = [];
  for (const line of table.trim().split('\n')) {
    const space = line.indexOf(' ');
    const [first, rest] = [line.slice(0, space), line.slice(space + 1)];
    if (first === '#') section = rest;
    else messages.push([`${section} ${first}`, rest]);
  }
  return messages;
}

function messageSchema(section: string, message: string): StructuralSchema {
  const name = `${section} ${message}`;
  let schema = made.get(name);
  if (schema === undefined) {
    const { fields, numbers } = fieldsOf(section, lines?.get(name) ?? '');
    schema = struct(name, fields, { numbers });
    made.set(name, schema);
  }
  return schema;
}

interface NumberedFields {
  readonly fields: Fields;
  readonly numbers: FieldNumbers;
}

/** In the place of a name: a message whose fields JSON shows as fields of the object around it. */
const EMBEDDED = '@';

function fieldsOf(section: string, line: string): NumberedFields {
  const fields: Record<string, StructuralSchema> = {};
  const numbers: Record<string, number | readonly number[]> = {};
  for (const field of line.split(' ')) {
    if (field === '') continue;
    const [name = '', number = '', type = ''] = field.split(':');
    if (name !== EMBEDDED) {
      fields[name] = schemaOfType(section, type);
      numbers[name] = Number(number);
      continue;
    }
    const inner = fieldsOf(section, lines?.get(`${section} ${type}`) ?? '');
    Object.assign(fields, inner.fields);
    for (const [each, path] of Object.entries(inner.numbers)) {
      numbers[each] = [Number(number), ...[path].flat()];
    }
  }
  return { fields, numbers };
}

function scalarOf(type: string): StructuralSchema | undefined {
  const mark = type.at(0);
  const scalar = SCALARS[mark === '*' || mark === '!' ? type.slice(1) : type];
  return scalar?.({ pointer: mark === '*', required: mark === '!' });
}

function schemaOfType(section: string, type: string): StructuralSchema {
  if (type.startsWith('[]')) return list(schemaOfType(section, type.slice(2)));
  if (type.startsWith('{}')) return map(schemaOfType(section, type.slice(2)));
  const known = scalarOf(type) ?? MESSAGES[type];
  if (known !== undefined) return known;
  const [group = '', message] = type.split('.');
  return message === undefined
    ? messageSchema(section, type)
    : messageSchema(`${group}/v1`, message);
}
