import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

interface NameFormProps {
  /** What is named, as `Name of a namespace`. */
  readonly label: string;
  /** What the button says. */
  readonly action: string;
  readonly choose: (name: string) => void;
}

/** Asks for the name of something that cannot be listed. */
export function NameForm({ label, action, choose }: NameFormProps): JSX.Element {
  const typed = useSignal('');
  return (
    <form
      class="one-field"
      onSubmit={(event) => {
        event.preventDefault();
        const name = typed.value.trim();
        if (name !== '') choose(name);
      }}
    >
      <input
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <button type="submit">{action}</button>
    </form>
  );
}
