import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { shortText } from '../api/json.ts';
import { describe, type Schema } from '../schema/schema.ts';
import type { Data } from './data.ts';
import { localOf, momentOf } from './local-moment.ts';

/** A field that holds one value. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

interface FieldInputProps {
  readonly field: Field;
  readonly value: Data | undefined;
  /** Whether moments are written with all digits of a second, which some kinds of the server want. */
  readonly isExact: boolean;
  /** What is wrong with it; empty: nothing. */
  readonly problem: string;
  readonly set: (path: readonly string[], value: Data | undefined) => void;
}

/** A field of a form, with what its schema says about it and what is wrong with it. */
export function FieldInput({
  field: { path, schema, isRequired },
  value,
  isExact,
  problem,
  set,
}: FieldInputProps): JSX.Element {
  const { description, bounds } = describe(schema);
  const label = path.slice(path[0] === 'spec' ? 1 : 0).join('.');
  const isPassword = schema.format === 'password' && schema.enum === undefined;
  const isShown = useSignal(false);
  const verb = isShown.value ? 'Hide' : 'Show';
  const isMoment = schema.format === 'date-time';
  const note = [description, bounds.join(', '), isMoment ? 'In your local time.' : '']
    .filter((text) => text !== '')
    .join(' ');
  const id = path.join('.');
  const ids = [
    ...(problem === '' ? [] : [`problem of ${id}`]),
    ...(note === '' ? [] : [`note on ${id}`]),
  ].map(idOf);
  const marks: Marks = {
    'aria-invalid': problem === '' ? undefined : true,
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
  };
  return (
    <div class="form-field">
      <label>
        <span>
          {label}
          {isRequired && <span class="dim"> required</span>}
        </span>
        <Input
          marks={marks}
          schema={schema}
          isExact={isExact}
          value={value}
          isRequired={isRequired}
          isHidden={isPassword && !isShown.value}
          change={(next) => set(path, next)}
        />
      </label>
      {isPassword && (
        <button
          type="button"
          class="small"
          aria-label={`${verb} ${label}`}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {verb}
        </button>
      )}
      {problem !== '' && (
        <small class="error" id={idOf(`problem of ${id}`)}>
          {problem}
        </small>
      )}
      {note !== '' && (
        <small class="dim" id={idOf(`note on ${id}`)}>
          {note}
        </small>
      )}
    </div>
  );
}

/** A name of an element: without spaces, which would part it in two. */
function idOf(text: string): string {
  return text.replaceAll(/\s/g, '-');
}

interface Marks {
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface InputProps {
  /** What marks it, and what describes it. */
  readonly marks: Marks;
  readonly schema: Schema;
  readonly isExact: boolean;
  readonly value: Data | undefined;
  readonly isRequired: boolean;
  /** What is typed is not to be read on the screen. */
  readonly isHidden: boolean;
  readonly change: (value: Data | undefined) => void;
}

function Input({
  marks,
  schema,
  isExact,
  value,
  isRequired,
  isHidden,
  change,
}: InputProps): JSX.Element {
  const text =
    value === undefined || value === null || typeof value === 'object' ? '' : String(value);
  if (schema.type === 'boolean' || schema.enum !== undefined) {
    const choices = schema.enum?.map(String) ?? ['true', 'false'];
    return (
      <select
        {...marks}
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
  if (schema.format === 'date-time' && (text === '' || localOf(text) !== undefined)) {
    return (
      <input
        {...marks}
        type="datetime-local"
        step={1}
        required={isRequired}
        defaultValue={localOf(text)}
        onInput={({ currentTarget }) => change(momentOf(currentTarget.value, isExact))}
      />
    );
  }
  const attributes = {
    ...marks,
    ...{ required: isRequired, defaultValue: text },
    placeholder: schema.default === undefined ? '' : shortText(schema.default),
    onInput: ({ currentTarget: { value: typed } }: { readonly currentTarget: HTMLInputElement }) =>
      change(typed === '' ? undefined : valueIn(schema, typed)),
  };
  if (!isNumber) {
    const how = isHidden ? ({ type: 'password', autocomplete: 'new-password' } as const) : {};
    return <input {...attributes} type="text" {...how} maxLength={schema.maxLength} />;
  }
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
