import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Filled, Operation, Parameter } from '../explorer/operations.ts';

interface FieldsProps {
  readonly operation: Operation;
  readonly filled: Filled;
  readonly change: (next: Partial<Filled>) => void;
  /** A field is left. */
  readonly tell: () => void;
}

/** What a request is filled with; what may be left empty is folded, unless it is filled in. */
export function Fields({ operation, filled, change, tell }: FieldsProps): JSX.Element {
  const { values } = filled;
  const set = (name: string, value: string): void =>
    change({ values: { ...values, [name]: value } });
  const field = (parameter: Parameter): JSX.Element => (
    <Field
      key={parameter.name}
      of={parameter}
      value={values[parameter.name]}
      set={set}
      tell={tell}
    />
  );
  const optional = operation.parameters.filter(({ isRequired }) => !isRequired);
  const count = optional.filter(({ name }) => (values[name] ?? '') !== '').length;
  const wasOpen = useRef(count > 0);
  const required = operation.parameters.filter(({ isRequired }) => isRequired);
  return (
    <>
      {operation.description !== '' && <p>{operation.description}</p>}
      {required.length > 0 && <div class="form">{required.map(field)}</div>}
      {operation.bodies.length > 0 && (
        <>
          <label class="field">
            <span>Type of the body</span>
            <select
              value={filled.type}
              onChange={({ currentTarget }) => change({ type: currentTarget.value })}
            >
              {operation.bodies.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          </label>
          <textarea
            class="body"
            rows={8}
            aria-label="Body"
            spellcheck={false}
            onInput={({ currentTarget }) => change({ body: currentTarget.value })}
          />
        </>
      )}
      {optional.length > 0 && (
        <details open={wasOpen.current}>
          <summary>
            Query parameters{' '}
            <span class="dim">
              {count === 0 ? optional.length : `${count} of ${optional.length}`}
            </span>
          </summary>
          <div class="form">{optional.map(field)}</div>
        </details>
      )}
    </>
  );
}

function Field({
  of: { name, place, description, isRequired },
  value,
  set,
  tell,
}: {
  readonly of: Parameter;
  readonly value: string | undefined;
  readonly set: (name: string, value: string) => void;
  readonly tell: () => void;
}): JSX.Element {
  return (
    <label title={description}>
      <span>
        {name} <span class="dim">{isRequired ? 'required' : place}</span>
      </span>
      <input
        required={isRequired}
        autocomplete="off"
        spellcheck={false}
        value={value ?? ''}
        onInput={({ currentTarget }) => set(name, currentTarget.value)}
        onBlur={tell}
      />
    </label>
  );
}
