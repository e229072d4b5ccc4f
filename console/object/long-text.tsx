import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Copy } from '../parts/copy.tsx';
import { numberText } from '../parts/numbers.ts';

interface LongTextProps {
  readonly text: string;
  /** What the text is, for the names of the buttons. */
  readonly label: string;
  /** Folded, it shows its first lines; otherwise nothing. */
  readonly hasPreview?: boolean;
}

/** Texts up to these sizes are shown whole. */
const MOST_CHARACTERS = 1_000;
const MOST_LINES = 20;
/** Of a folded text. */
const PREVIEW_CHARACTERS = 200;
const PREVIEW_LINES = 3;
/** What one step shows: more at a time would hold the page. */
const STEP = 20_000;

/** Whether a text is folded at first. */
export function isLong(text: string): boolean {
  return text.length > MOST_CHARACTERS || text.split('\n', MOST_LINES + 1).length > MOST_LINES;
}

/** A long text, folded at first and then shown in steps. */
export function LongText({ text, label, hasPreview = true }: LongTextProps): JSX.Element {
  const shown = useSignal(0);
  const toggle = useRef<HTMLButtonElement>(null);
  const isOpen = shown.value > 0;
  const isWhole = shown.value >= text.length;
  return (
    <div class="long-text">
      {isOpen ? (
        <pre class="block wrapped" tabIndex={0} aria-label={label}>
          {text.slice(0, shown.value)}
        </pre>
      ) : (
        hasPreview && <pre class="block wrapped">{previewOf(text)}…</pre>
      )}
      <div class="buttons">
        <button
          ref={toggle}
          type="button"
          class="small"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Fold' : 'Show'} ${label}`}
          onClick={() => (shown.value = isOpen ? 0 : STEP)}
        >
          {isOpen ? 'Fold' : 'Show'}
        </button>
        {isOpen && !isWhole && (
          <button
            type="button"
            class="small"
            aria-label={`Show more of ${label}`}
            onClick={() => {
              shown.value += STEP;
              // the button goes with the last step
              if (shown.value >= text.length) toggle.current?.focus();
            }}
          >
            Show more
          </button>
        )}
        <Copy text={text} label={label} />
        <span class="dim">
          {isOpen && !isWhole ? `${numberText(shown.value)} of ` : ''}
          {numberText(text.length)} characters
        </span>
      </div>
    </div>
  );
}

function previewOf(text: string): string {
  return text.slice(0, PREVIEW_CHARACTERS).split('\n').slice(0, PREVIEW_LINES).join('\n');
}
