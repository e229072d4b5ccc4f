import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { describe, itemOf, resolved, type Schema, type Schemas } from './schema.ts';

interface DocumentationProps {
  readonly schema: Schema | undefined;
  readonly schemas: Schemas;
  /** The path of a field that is open at first, as `spec.template`; empty: none. */
  readonly field: string;
  /** The user has opened the field at this path, or closed one in it. */
  readonly open: (path: string) => void;
}

/** Levels that are open at first. */
const OPEN_LEVELS = 2;
/** Fields of every object, which say nothing about this kind. */
const KNOWN = new Set(['apiVersion', 'kind', 'metadata']);

/** A schema as documentation: every field with its type, meaning, bounds and rules. */
export function Documentation({ schema, schemas, ...rest }: DocumentationProps): JSX.Element {
  const root = resolved(schema, schemas);
  if (root === undefined) return <p class="dim">The server publishes no schema for this kind.</p>;
  return (
    <div class="documentation">
      {root.description !== undefined && <p>{root.description}</p>}
      <Properties {...rest} schema={root} schemas={schemas} path="" depth={0} />
    </div>
  );
}

interface PropertiesProps extends DocumentationProps {
  readonly schema: Schema;
  /** Where these fields are; empty: in the object. */
  readonly path: string;
  readonly depth: number;
}

function Properties({ schema, ...rest }: PropertiesProps): JSX.Element {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => rest.depth > 0 || !KNOWN.has(name),
  );
  return (
    <ul class="properties">
      {entries.map(([name, property]) => (
        <Property
          key={name}
          {...rest}
          name={name}
          schema={property}
          isRequired={required.has(name)}
        />
      ))}
    </ul>
  );
}

interface PropertyProps extends DocumentationProps {
  readonly name: string;
  readonly isRequired: boolean;
  /** Where the fields stand that this is one of. */
  readonly path: string;
  readonly depth: number;
}

function Property({ name, schema, isRequired, ...rest }: PropertyProps): JSX.Element {
  const { schemas, depth, field, open } = rest;
  const path = rest.path === '' ? name : `${rest.path}.${name}`;
  const isOpen = useSignal(depth < OPEN_LEVELS || `${field}.`.startsWith(`${path}.`));
  const here = resolved(schema, schemas);
  const inner = innerOf(here, schemas);
  const { type, description, bounds } = describe(here);
  const rules = here?.['x-kubernetes-validations'] ?? [];
  const head = (
    <>
      <code class="key">{name}</code> <span class="dim">{type}</span>
      {isRequired && <span class="state busy">required</span>}
    </>
  );
  const body = (
    <>
      {description !== '' && <p>{description}</p>}
      {bounds.length > 0 && <p class="dim">{bounds.join(' · ')}</p>}
      {rules.map(({ rule = '', message = '' }) => (
        <p key={rule} class="dim">
          rule <code>{rule}</code> {message}
        </p>
      ))}
    </>
  );
  if (inner === undefined) {
    return (
      <li>
        {head}
        {body}
      </li>
    );
  }
  return (
    <li>
      {/* What is closed is not drawn: schemas may be deep, and may contain themselves. */}
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
      >
        <summary onClick={() => open(isOpen.value ? rest.path : path)}>{head}</summary>
        {body}
        {isOpen.value && <Properties {...rest} schema={inner} path={path} depth={depth + 1} />}
      </details>
    </li>
  );
}

/** Lists and maps within one another that are looked into. */
const MOST_WITHIN = 6;

/** The schema whose fields are listed below a field: its own, its items', or its values'. */
function innerOf(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  let here = schema;
  for (let i = 0; i < MOST_WITHIN && here !== undefined; i++) {
    if (here.properties !== undefined) return here;
    const { additionalProperties: values } = here;
    here =
      itemOf(here, schemas) ?? resolved(typeof values === 'object' ? values : undefined, schemas);
  }
  return undefined;
}
