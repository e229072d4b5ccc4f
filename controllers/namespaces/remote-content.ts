/**
 * Namespaced content that aggregated servers keep. A server that cannot be
 * reached is reported but does not block: otherwise one abandoned APIService
 * would keep every namespace in Terminating (behaviours 9.3).
 */
export interface RemoteContent {
  /** Deletes what there is of the namespace on every server that can be reached. */
  purge(namespace: string, signal: AbortSignal): Promise<RemoteSurvey>;
}

export interface RemoteSurvey {
  /** Group versions whose server cannot be asked, each with why. */
  readonly unavailable: readonly string[];
  readonly failures: readonly string[];
  /** `pods.metrics.example.com` and how many there still are. */
  readonly remaining: readonly { readonly resource: string; readonly count: number }[];
}

export const NO_REMOTE_CONTENT: RemoteContent = {
  purge: () => Promise.resolve({ unavailable: [], failures: [], remaining: [] }),
};
