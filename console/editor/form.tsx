import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { shortText } from '../api/json.ts';
import type { KindSchema } from '../schema/documents.ts';
import { describe, resolved, type Schema } from '../schema/schema.ts';
import { dataAt, withData, type Data } from './data.ts';

/** Fields that a form has at most; a schema with more is written as text. */
const MOST_FIELDS = 30;
/** Levels of objects in a form. */
const DEEPEST = 4;

interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Whether a schema is simple enough for a form. */
export function isSimple(ofKind: KindSchema): boolean {
  const fields = fieldsOf(ofKind);
  return fields.length > 0 && fields.length <= MOST_FIELDS;
}

/** The fields of `spec` that hold one value, or a list of words. */
function fieldsOf({ schema, schemas }: KindSchema): Field[] {
  const fields: Field[] = [];
  const walk = (at: Schema | undefined, path: readonly string[], isRequired: boolean): void => {
    const here = resolved(at, schemas);
    if (here === undefined || path.length > DEEPEST) return;
    if (here.type === 'object') {
      for (const [name, property] of Object.entries(here.properties ?? {})) {
        walk(property, [...path, name], isRequired && (here.required ?? []).includes(name));
      }
    } else if (['string', 'integer', 'number', 'boolean'].includes(here.type ?? '')) {
      fields.push({ path, schema: here, isRequired });
    }
  };
  walk(resolved(schema, schemas)?.properties?.spec, ['spec'], true);
  return fields;
}

interface FormProps {
  readonly value: Data;
  readonly ofKind: KindSchema;
  readonly onChange: (value: Data) => void;
}

/** A form for the simple fields of a schema; what it does not show stays as it is in the text. */
export function Form({ value, ofKind, onChange }: FormProps): JSX.Element {
  const now = useSignal(value);
  const set = (path: readonly string[], next: Data | undefined): void => {
    now.value = withData(now.value, path, next);
    onChange(now.value);
  };
  const name: Field = {
    path: ['metadata', 'name'],
    schema: { type: 'string', description: 'Unique among its kind in its namespace.' },
    isRequired: true,
  };
  return (
    <form class="card form" onSubmit={(event) => event.preventDefault()}>
      {[name, ...fieldsOf(ofKind)].map((field) => (
        <FieldInput
          key={field.path.join('.')}
          field={field}
          value={dataAt(now.value, field.path)}
          set={set}
        />
      ))}
    </form>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly value: Data | undefined;
  readonly set: (path: readonly string[], value: Data | undefined) => void;
}

function FieldInput({
  field: { path, schema, isRequired },
  value,
  set,
}: FieldInputProps): JSX.Element {
  const { description, bounds } = describe(schema);
  const label = path.slice(path[0] === 'spec' ? 1 : 0).join('.');
  const note = [description, bounds.join(', ')].filter((text) => text !== '').join(' ');
  return (
    <label>
      <span>
        {label}
        {isRequired && <span class="dim"> required</span>}
      </span>
      <Input
        schema={schema}
        value={value}
        isRequired={isRequired}
        change={(next) => set(path, next)}
      />
      {note !== '' && <small class="dim">{note}</small>}
    </label>
  );
}

interface InputProps {
  readonly schema: Schema;
  readonly value: Data | undefined;
  readonly isRequired: boolean;
  readonly change: (value: Data | undefined) => void;
}

function Input({ schema, value, isRequired, change }: InputProps): JSX.Element {
  const text =
    value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  if (schema.type === 'boolean' || schema.enum !== undefined) {
    const choices = schema.enum?.map(String) ?? ['true', 'false'];
    return (
      <select
        value={text}
        required={isRequired}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          change(
            chosen === ''
              ? undefined
              : schema.type === 'boolean'
                ? chosen === 'true'
                : valueIn(schema, chosen),
          );
        }}
      >
        <option value="">
          {schema.default === undefined ? '' : `default: ${shortText(schema.default)}`}
        </option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const attributes = {
    ...{ required: isRequired, defaultValue: text },
    placeholder: schema.default === undefined ? '' : shortText(schema.default),
    onInput: ({ currentTarget: { value: typed } }: { readonly currentTarget: HTMLInputElement }) =>
      change(typed === '' ? undefined : valueIn(schema, typed)),
  };
  if (!isNumber) return <input {...attributes} maxLength={schema.maxLength} />;
  const step = schema.type === 'number' ? 'any' : 1;
  return (
    <input {...attributes} type="number" step={step} min={schema.minimum} max={schema.maximum} />
  );
}

function valueIn(schema: Schema, text: string): Data {
  if (schema.type === 'integer' && /^-?\d+$/.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  }
  return schema.type === 'number' || schema.type === 'integer' ? Number(text) : text;
}
