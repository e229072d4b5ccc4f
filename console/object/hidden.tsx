import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Copy } from '../parts/copy.tsx';
import { isLong, LongText } from './long-text.tsx';

interface HiddenProps {
  readonly text: string;
  /** What the text is, for the names of the buttons. */
  readonly label: string;
  /** What is said of it while it is hidden. */
  readonly note: string;
  /** What is copied, where it is not what the label says. */
  readonly copyLabel?: string;
}

/** A text that is hidden until it is asked for. */
export function Hidden({ text, label, note, copyLabel = label }: HiddenProps): JSX.Element {
  const isShown = useSignal(false);
  return (
    <>
      <div class="secret">
        <span class="dim">{note}</span>
        <button
          type="button"
          class="small"
          aria-expanded={isShown.value}
          aria-label={`${isShown.value ? 'Hide' : 'Reveal'} ${label}`}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {isShown.value ? 'Hide' : 'Reveal'}
        </button>
        <Copy text={text} label={copyLabel} />
      </div>
      {isShown.value && <Shown text={text} label={label} />}
    </>
  );
}

function Shown({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  if (text === '') return <p class="dim">empty</p>;
  if (isLong(text)) return <LongText text={text} label={`the value of ${label}`} />;
  return (
    <pre class="block wrapped" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
