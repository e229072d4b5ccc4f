import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import { say } from './announce.ts';

/** How long the button shows that it has copied. */
const SHOWN_MS = 1_500;

/** A button that puts a text on the clipboard. */
export function Copy({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): JSX.Element {
  const isDone = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    isDone.value = true;
    say(`Copied ${label}`);
    setTimeout(() => (isDone.value = false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="quiet square"
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      onClick={(event) => {
        event.stopPropagation();
        copy().catch(() => say('The browser does not allow copying here.'));
      }}
    >
      <Icon name={isDone.value ? 'check' : 'copy'} />
    </button>
  );
}
