import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';

/** Names of fields in the core Event, by their names in this one; all others are the same. */
const CORE_NAMES: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};

/** An event as clients of the core group read it. Source: the conversion between core/v1 and events/v1. */
export function coreEventOf(event: ApiObject): ApiObject {
  const core: JsonObject = {};
  for (const [name, value] of Object.entries(event)) core[CORE_NAMES[name] ?? name] = value;
  return { ...core, apiVersion: 'v1', kind: 'Event', metadata: event.metadata };
}
