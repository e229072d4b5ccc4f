import type { JsonObject } from '../api/json.ts';
import type { Priority } from './priorities.ts';

/**
 * What APIService objects say of groups and versions: priorities of their own,
 * groups without resources, and groups that other servers answer for. The seam
 * between discovery and aggregation.
 */
export interface Registrations {
  /** Changes with every change of `list()`. */
  readonly generation: number;
  list(): readonly Registration[];
}

export interface Registration extends Priority {
  readonly group: string;
  readonly version: string;
  /** Undefined when this server answers for it. */
  readonly remote: RemoteVersion | undefined;
}

/** What is known of a version that another server serves. */
export interface RemoteVersion {
  /** `Stale`: the other server cannot be asked at the moment. */
  readonly freshness: 'Current' | 'Stale';
  /** The items of its aggregated discovery (APIResourceDiscovery), as last heard. */
  readonly resources: readonly JsonObject[];
}

export const NO_REGISTRATIONS: Registrations = { generation: 0, list: () => [] };
