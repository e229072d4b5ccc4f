import type { JsonObject } from '../api/json.ts';

/** What admission asks of the registry about namespaces. */
export interface NamespaceReader {
  /** From the replica: quick, and perhaps behind. */
  cached(name: string): NamespaceState | undefined;
  /** From the store itself. */
  live(name: string): Promise<NamespaceState | undefined>;
}

export interface NamespaceState {
  readonly terminating: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** The Namespace itself; not to be changed. */
  readonly object: JsonObject;
}
