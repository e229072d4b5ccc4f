/**
 * Whether a key goes into a text or a dialog. The editor stands in a shadow tree:
 * outside of it, its host is the target.
 */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'button'].includes(target.type)) ||
    event.composedPath().some((each) => each instanceof HTMLDialogElement)
  );
}
