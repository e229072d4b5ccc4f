import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { kind } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { eventSchema } from './event-schema.ts';

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

const TYPE_META: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function coreFields(): Record<string, StructuralSchema> {
  const fields: Record<string, StructuralSchema> = {};
  for (const [name, field] of eventSchema.properties ?? []) {
    if (!TYPE_META.includes(name)) fields[CORE_NAMES[name] ?? name] = field;
  }
  return fields;
}

/** The Event as clients of the core group write it. */
export const coreEventSchema = kind('io.cluster.core.v1.Event', coreFields(), {
  description: 'An event in the form of the core group.',
  numbers: {
    involvedObject: 2,
    reason: 3,
    message: 4,
    source: 5,
    firstTimestamp: 6,
    lastTimestamp: 7,
    count: 8,
    type: 9,
    eventTime: 10,
    series: 11,
    action: 12,
    related: 13,
    reportingComponent: 14,
    reportingInstance: 15,
  },
});
