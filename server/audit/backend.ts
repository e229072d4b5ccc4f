/** Where audit events go. */
export interface AuditBackend {
  /**
   * Takes one event as JSON text without line breaks, at once. False: there is
   * no room, and the event is lost.
   */
  write(event: string): boolean;
  /** Everything that was taken has gone where it goes, or cannot. */
  close(): Promise<void>;
}
