import { isOpen, itemOf, propertyOf, resolved, type Schema, type Schemas } from './schema.ts';

/** Something of a value that the schema does not allow. */
interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** A hint: the server may take it nevertheless. */
  readonly isHint: boolean;
}

/** Problems that are told of; further ones wait until these are solved. */
const MOST = 50;
/** Levels that are looked at. */
const DEEPEST = 60;

/**
 * What a value has that its schema does not allow, as far as the console knows
 * schemas. The dry run on the server has the last word.
 */
export function problemsOf(
  value: unknown,
  schema: Schema | undefined,
  schemas: Schemas,
): Problem[] {
  const problems: Problem[] = [];
  check({ value, schema, path: [], problems, schemas });
  return problems.slice(0, MOST);
}

interface Check {
  readonly value: unknown;
  readonly schema: Schema | undefined;
  readonly path: readonly (string | number)[];
  readonly problems: Problem[];
  readonly schemas: Schemas;
}

function check(here: Check): void {
  const { value, path, problems, schemas } = here;
  const schema = resolved(here.schema, schemas);
  if (schema === undefined || problems.length >= MOST || path.length > DEEPEST) return;
  const say = (message: string, isHint = false): void =>
    void problems.push({ path, message, isHint });
  if (value === null) {
    if (schema.nullable !== true && path.length > 0)
      say('is null: the field counts as absent', true);
    return;
  }
  const wrong = wrongType(value, schema);
  if (wrong !== undefined) {
    say(`must be ${wrong}`);
    return;
  }
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) {
    say(`must be one of ${schema.enum.map(String).join(', ')}`);
  }
  if (typeof value === 'string')
    checkLength(value.length, schema.minLength, schema.maxLength, 'characters', say);
  else if (typeof value === 'number' || typeof value === 'bigint') {
    if (schema.minimum !== undefined && value < schema.minimum)
      say(`must be at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum)
      say(`must be at most ${schema.maximum}`);
  } else if (Array.isArray(value)) {
    checkLength(value.length, schema.minItems, schema.maxItems, 'items', say);
    const item = itemOf(schema, schemas);
    value.forEach((each, i) => check({ ...here, value: each, schema: item, path: [...path, i] }));
  } else if (typeof value === 'object') checkMap(here, schema, value as Record<string, unknown>);
}

function checkMap(here: Check, schema: Schema, value: Record<string, unknown>): void {
  const { path, problems, schemas } = here;
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name))
      problems.push({ path: [...path, name], message: 'is required', isHint: false });
  }
  for (const [key, each] of Object.entries(value)) {
    const property = propertyOf(schema, key, schemas);
    if (property !== undefined)
      check({ ...here, value: each, schema: property, path: [...path, key] });
    else if (!isOpen(schema)) {
      problems.push({
        path: [...path, key],
        message: 'the schema does not have this field',
        isHint: false,
      });
    }
  }
}

function checkLength(
  length: number,
  least: number | undefined,
  most: number | undefined,
  what: string,
  say: (message: string) => void,
): void {
  if (least !== undefined && length < least) say(`must have at least ${least} ${what}`);
  if (most !== undefined && length > most) say(`must have at most ${most} ${what}`);
}

/** What a value must be instead; undefined: its type is right. */
function wrongType(value: unknown, schema: Schema): string | undefined {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    return isInteger || typeof value === 'string' ? undefined : 'an integer or a string';
  }
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'integer':
      return isInteger ? undefined : 'an integer';
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? undefined : 'a number';
    case 'array':
      return Array.isArray(value) ? undefined : 'a list';
    case 'object':
      return typeof value === 'object' && !Array.isArray(value) ? undefined : 'an object';
    default:
      return undefined;
  }
}
