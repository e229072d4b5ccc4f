import type { JSX } from 'preact';
import { BusyButton } from './busy-button.tsx';

interface AnswerProps {
  /** What the button says, and while it works. */
  readonly label: string;
  readonly busyLabel: string;
  readonly isBusy: boolean;
  /** Why the last attempt has failed; empty: none has. */
  readonly error: string;
  readonly isDangerous?: boolean;
  /** Something has to be known or typed first. */
  readonly isWaiting?: boolean;
  readonly cancel: () => void;
}

/** The end of a dialog's form: what went wrong, and the buttons that answer it. */
export function Answer({
  label,
  busyLabel,
  isBusy,
  error,
  isDangerous = false,
  isWaiting = false,
  cancel,
}: AnswerProps): JSX.Element {
  return (
    <>
      {error !== '' && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="buttons">
        <BusyButton
          type="submit"
          class={isDangerous ? 'danger solid' : 'primary'}
          isBusy={isBusy}
          disabled={isWaiting}
        >
          {isBusy ? busyLabel : label}
        </BusyButton>
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
