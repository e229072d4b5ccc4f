/** One event, in the forms in which it may be kept: JSON without line breaks. */
export interface AuditEvent {
  readonly text: string;
  /** Without the objects of request and answer, and saying so; the same when it has none. */
  readonly shortened: string;
}

/** Where audit events go. */
export interface AuditBackend {
  /**
   * Takes one event. A promise: the request waits for it; false in it: the
   * event is not kept and the request must not go on. What is lost otherwise
   * the backend counts by itself.
   */
  write(event: AuditEvent): true | Promise<boolean>;
  /** The server stops: from now on no delivery takes long, and none is tried again. */
  hurry(): void;
  /** Everything that was taken has gone where it goes, or cannot. */
  close(): Promise<void>;
}
