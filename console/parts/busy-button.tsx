import type { JSX } from 'preact';

interface BusyButtonProps {
  readonly type: 'button' | 'submit';
  readonly class: string;
  /** What it has begun is not finished: it does not begin it again, and keeps the focus. */
  readonly isBusy: boolean;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly children: string;
}

/** A button whose work takes a moment. */
export function BusyButton({ isBusy, onClick, ...rest }: BusyButtonProps): JSX.Element {
  return (
    <button
      {...rest}
      // not disabled: it would lose the focus
      aria-disabled={isBusy}
      onClick={(event) => {
        // Enter in a field of its form comes here, too
        if (isBusy) event.preventDefault();
        else onClick?.();
      }}
    />
  );
}
