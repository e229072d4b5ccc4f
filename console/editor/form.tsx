import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { shortText } from '../api/json.ts';
import type { KindSchema } from '../schema/documents.ts';
import { describe, resolved, type Schema } from '../schema/schema.ts';
import { dataAt, withData, type Data } from './data.ts';

/** Fields that a form has at most; a schema with more is written as text. */
const MOST_FIELDS = 30;
/** Fields that a form names without showing them. */
const MOST_NAMED = 12;
/** Levels of objects in a form. */
const DEEPEST = 4;

interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Whether a schema is simple enough for a form. */
export function isSimple(ofKind: KindSchema): boolean {
  const { shown } = fieldsOf(ofKind);
  return shown.length > 0 && shown.length <= MOST_FIELDS;
}

interface Fields {
  /** Those that hold one value. */
  readonly shown: readonly Field[];
  /** Names of the others. */
  readonly others: readonly string[];
}

/** The fields of `spec`. */
function fieldsOf({ schema, schemas }: KindSchema): Fields {
  const shown: Field[] = [];
  const others: string[] = [];
  const walk = (at: Schema | undefined, path: readonly string[], isRequired: boolean): void => {
    const here = resolved(at, schemas);
    if (here === undefined) return;
    const inner = here['x-kubernetes-embedded-resource'] === true ? {} : (here.properties ?? {});
    if (here.type === 'object' && Object.keys(inner).length > 0 && path.length <= DEEPEST) {
      for (const [name, property] of Object.entries(inner)) {
        walk(property, [...path, name], isRequired && (here.required ?? []).includes(name));
      }
    } else if (isOneValue(here) && path.length <= DEEPEST) {
      shown.push({ path, schema: here, isRequired });
    } else others.push(path.slice(1).join('.'));
  };
  walk(resolved(schema, schemas)?.properties?.spec, ['spec'], true);
  return { shown, others };
}

function isOneValue(schema: Schema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true ||
    ['string', 'integer', 'number', 'boolean'].includes(schema.type ?? '')
  );
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
  const { shown, others } = fieldsOf(ofKind);
  return (
    <form class="card form" onSubmit={(event) => event.preventDefault()}>
      {[name, ...shown].map((field) => (
        <FieldInput
          key={field.path.join('.')}
          field={field}
          value={dataAt(now.value, field.path)}
          set={set}
        />
      ))}
      {others.length > 0 && (
        <p class="dim">Written as YAML, and not in this form: {namesText(others)}.</p>
      )}
    </form>
  );
}

function namesText(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const text = names.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${text} and ${more} more` : text;
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
  const [min, max] = [schema.minimum, schema.maximum].map((bound) => bound?.toString());
  return <input {...attributes} type="number" {...{ step, min, max }} />;
}

function valueIn(schema: Schema, text: string): Data {
  const isEither = schema['x-kubernetes-int-or-string'] === true;
  if ((schema.type === 'integer' || isEither) && /^-?\d+$/.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
  }
  return schema.type === 'number' || schema.type === 'integer' ? Number(text) : text;
}
