/** Who reads. Its signal is asked for only when the read has to wait: many are made when they are asked for. */
export interface Caller {
  readonly signal?: AbortSignal | undefined;
}
