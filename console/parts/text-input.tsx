import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface TextInputProps {
  /** What the place says now. */
  readonly value: string;
  readonly placeholder: string;
  readonly name?: string;
  /** The id of a list of suggestions. */
  readonly list?: string;
  readonly change?: (text: string) => void;
}

/** A field that follows the place. One element for all values: it keeps the focus when they change. */
export function TextInput({ value, placeholder, name, list, change }: TextInputProps): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.value = value;
  }, [value]);
  return (
    <input
      ref={box}
      name={name}
      list={list}
      placeholder={placeholder}
      defaultValue={value}
      spellcheck={false}
      autocomplete="off"
      onChange={({ currentTarget }) => change?.(currentTarget.value.trim())}
    />
  );
}
