import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { describe, itemOf, resolved, type Schema, type Schemas } from './schema.ts';

interface DocumentationProps {
  readonly schema: Schema | undefined;
  readonly schemas: Schemas;
}

/** Levels that are open at first. */
const OPEN_LEVELS = 2;
/** Fields of every object, which say nothing about this kind. */
const KNOWN = new Set(['apiVersion', 'kind', 'metadata']);

/** A schema as documentation: every field with its type, meaning, bounds and rules. */
export function Documentation({ schema, schemas }: DocumentationProps): JSX.Element {
  const root = resolved(schema, schemas);
  if (root === undefined) return <p class="dim">The server publishes no schema for this kind.</p>;
  return (
    <div class="documentation">
      {root.description !== undefined && <p>{root.description}</p>}
      <Properties schema={root} schemas={schemas} depth={0} />
    </div>
  );
}

interface PropertiesProps {
  readonly schema: Schema;
  readonly schemas: Schemas;
  readonly depth: number;
}

function Properties({ schema, schemas, depth }: PropertiesProps): JSX.Element {
  const required = new Set(schema.required);
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([name]) => depth > 0 || !KNOWN.has(name),
  );
  return (
    <ul class="properties">
      {entries.map(([name, property]) => (
        <Property
          key={name}
          name={name}
          schema={property}
          schemas={schemas}
          isRequired={required.has(name)}
          depth={depth}
        />
      ))}
    </ul>
  );
}

interface PropertyProps extends DocumentationProps {
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

function Property({ name, schema, schemas, isRequired, depth }: PropertyProps): JSX.Element {
  const isOpen = useSignal(depth < OPEN_LEVELS);
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
        <summary>{head}</summary>
        {body}
        {isOpen.value && <Properties schema={inner} schemas={schemas} depth={depth + 1} />}
      </details>
    </li>
  );
}

/** The schema whose fields are listed below a field: its own, its items', or its values'. */
function innerOf(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  const values =
    typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return [schema, itemOf(schema, schemas), resolved(values, schemas)].find(
    (each) => each?.properties !== undefined,
  );
}
