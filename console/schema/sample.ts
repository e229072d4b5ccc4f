import { exactText } from '../../client/exact.ts';
import { resolved, type Schema, type Schemas } from './schema.ts';

interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty: of an object without one. */
  readonly namespace: string;
}

/** Levels of required fields that are written. */
const DEEPEST = 6;

/** A document to begin with, as YAML: what identifies the object, and its required fields. */
export function sampleOf(
  { schema, schemas }: { readonly schema: Schema | undefined; readonly schemas: Schemas },
  { apiVersion, kind, namespace }: Head,
): string {
  const lines = [`apiVersion: ${apiVersion}`, `kind: ${kind}`, 'metadata:', '  name: ""'];
  if (namespace !== '') lines.push(`  namespace: ${namespace}`);
  const properties = resolved(schema, schemas)?.properties ?? {};
  const required = resolved(schema, schemas)?.required ?? [];
  const wanted = new Set([
    ...required,
    ...['spec', 'data'].filter((name) => Object.hasOwn(properties, name)),
  ]);
  for (const name of ['apiVersion', 'kind', 'metadata', 'status']) wanted.delete(name);
  for (const name of wanted) lines.push(...field(name, properties[name], schemas, 0));
  return `${lines.join('\n')}\n`;
}

function field(
  name: string,
  schema: Schema | undefined,
  schemas: Schemas,
  depth: number,
): string[] {
  const here = resolved(schema, schemas);
  const indent = '  '.repeat(depth);
  const required = here?.required ?? [];
  if (here?.properties !== undefined && required.length > 0 && depth < DEEPEST) {
    const inner = required.flatMap((each) =>
      field(each, here.properties?.[each], schemas, depth + 1),
    );
    return [`${indent}${name}:`, ...inner];
  }
  return [`${indent}${name}: ${valueFor(here)}`];
}

function valueFor(schema: Schema | undefined): string {
  const first = schema?.default ?? schema?.enum?.[0];
  if (first !== undefined)
    return typeof first === 'string' && /^[A-Za-z][\w-]*$/.test(first) ? first : exactText(first);
  if (schema?.['x-kubernetes-int-or-string'] === true) return '0';
  switch (schema?.type) {
    case 'integer':
    case 'number':
      return String(schema.minimum ?? 0);
    case 'boolean':
      return 'false';
    case 'array':
      return '[]';
    case 'string':
      return '""';
    default:
      return '{}';
  }
}
