type CallErrorKind =
  /** It was not called: the configuration, or the address, is of no use. */
  | 'refused'
  /** No connection, or one that broke. */
  | 'unreachable'
  /** It took longer than it may. */
  | 'timeout'
  /** The request for which it was called has been given up. */
  | 'aborted'
  /** Its answer is longer than it may be. */
  | 'tooLarge';

/**
 * A call of another server that has not led to an answer. Nothing that the
 * other server sent is in the message.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly kind: CallErrorKind;

  constructor(kind: CallErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
