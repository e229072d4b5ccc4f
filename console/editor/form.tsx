import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Kind } from '../api/kind.ts';
import { isCustom } from '../schema/definition.ts';
import type { KindSchema } from '../schema/documents.ts';
import { resolved, type Schema } from '../schema/schema.ts';
import { dataAt, withData, type Data } from './data.ts';
import { FieldInput, type Field } from './form-field.tsx';
import { fieldProblems } from './form-problems.ts';

/** Fields that a form has at most; a schema with more is written as text. */
const MOST_FIELDS = 30;
/** Fields that a form names without showing them. */
const MOST_NAMED = 12;
/** Levels of objects in a form. */
const DEEPEST = 4;

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
  readonly kind: Kind;
  readonly ofKind: KindSchema;
  /** Why the server does not take what was typed; undefined: it has not been asked, or takes it. */
  readonly error: Error | undefined;
  readonly onChange: (value: Data) => void;
}

const NAME: Field = {
  path: ['metadata', 'name'],
  schema: { type: 'string', description: 'Unique among its kind in its namespace.' },
  isRequired: true,
};

/** A form for the simple fields of a schema; what it does not show stays as it is in the text. */
export function Form({ value, kind, ofKind, error, onChange }: FormProps): JSX.Element {
  const now = useSignal(value);
  const form = useRef<HTMLFormElement>(null);
  /** Fields that were changed since the server was asked, with what it said then. */
  const mended = useSignal<ReadonlyMap<string, Error | undefined>>(new Map());
  const set = (path: readonly string[], next: Data | undefined): void => {
    now.value = withData(now.value, path, next);
    mended.value = new Map(mended.value).set(path.join('.'), error);
    onChange(now.value);
  };
  const { shown, others } = fieldsOf(ofKind);
  const fields = [NAME, ...shown];
  const problems = useMemo(() => fieldProblems(error, now.peek(), ofKind, fields), [error, ofKind]);
  const told = useRef(error);
  useEffect(() => {
    const isNew = error !== undefined && error !== told.current;
    told.current = error;
    if (isNew) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return (
    <form class="card form" ref={form} onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => {
        const id = field.path.join('.');
        const isMended = mended.value.has(id) && mended.value.get(id) === error;
        return (
          <FieldInput
            key={id}
            field={field}
            value={dataAt(now.value, field.path)}
            isExact={!isCustom(kind)}
            problem={isMended ? '' : (problems.get(id) ?? '')}
            set={set}
          />
        );
      })}
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
