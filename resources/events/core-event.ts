import type { FieldError } from '../../api/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { ApiObject } from '../../api/object.ts';
import { string } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import type { Column, ResourceDefinition } from '../definition.ts';
import { objectOf } from '../object-of.ts';
import { eventColumns } from './event-columns.ts';
import { eventSchema } from './event-schema.ts';
import { CORE_EVENT_FIELDS, EVENT_TTL_SECONDS, validateAlways } from './event.ts';

/*
 * The Event of the core group: the same stored objects under older names of
 * their fields. Source: kube, the conversion between core/v1 and events/v1.
 */

/** Names of fields in the core Event, by their names in the stored one; all others are the same. */
const CORE_NAMES: ReadonlyMap<string, string> = new Map([
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]);
const STORED_NAMES: ReadonlyMap<string, string> = new Map(
  [...CORE_NAMES].map(([stored, core]) => [core, stored]),
);
const CORE_VERSION = 'v1';
const STORED_VERSION = 'events.cluster.io/v1';

interface Naming {
  readonly from: string;
  readonly to: string;
  readonly names: ReadonlyMap<string, string>;
}
const TO_CORE: Naming = { from: STORED_VERSION, to: CORE_VERSION, names: CORE_NAMES };
const TO_STORED: Naming = { from: CORE_VERSION, to: STORED_VERSION, names: STORED_NAMES };

/** The core form always shows these; the other one leaves them out where they say nothing. */
const NO_REPORTER = { reportingController: '', reportingInstance: '' };

/** A stored event as clients of the core group see it. The one given keeps its fields. */
function coreEventOf(event: ApiObject): ApiObject {
  return renamed({ ...NO_REPORTER, ...event }, TO_CORE);
}

/** The other direction of {@link coreEventOf}. */
function storedEventOf(event: ApiObject): ApiObject {
  const { reportingController, reportingInstance, ...stored } = renamed(event, TO_STORED);
  return {
    ...stored,
    ...(isSaid(reportingController) ? { reportingController } : {}),
    ...(isSaid(reportingInstance) ? { reportingInstance } : {}),
  };
}

function isSaid(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== '';
}

function renamed(event: ApiObject, naming: Naming): ApiObject {
  const fields = renameKeys(event, naming.names);
  const { managedFields } = event.metadata;
  const metadata =
    managedFields === undefined
      ? event.metadata
      : { ...event.metadata, managedFields: managedFields.map((entry) => inForm(entry, naming)) };
  return { ...fields, apiVersion: naming.to, kind: 'Event', metadata };
}

/** Who owns which field, by the names of the form. Entries of other versions stay as they are. */
function inForm<T extends JsonObject>(entry: T, { from, to, names }: Naming): T {
  if (entry['apiVersion'] !== from) return entry;
  const { fieldsV1 } = entry;
  const owned = new Map([...names].map(([before, after]) => [`f:${before}`, `f:${after}`]));
  return {
    ...entry,
    apiVersion: to,
    ...(isObject(fieldsV1) ? { fieldsV1: renameKeys(fieldsV1, owned) } : {}),
  };
}

function renameKeys(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]): [string, JsonValue] => [
      names.get(name) ?? name,
      value,
    ]),
  );
}

const TYPE_META: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function coreFields(): Record<string, StructuralSchema> {
  const fields: Record<string, StructuralSchema> = {};
  for (const [name, field] of eventSchema.properties ?? []) {
    if (!TYPE_META.includes(name)) fields[CORE_NAMES.get(name) ?? name] = field;
  }
  return {
    ...fields,
    // always shown, as clients have always seen
    reportingComponent: string({ omit: 'never', description: 'The controller that tells of it.' }),
    reportingInstance: string({
      omit: 'never',
      description: 'Which instance of the controller it was; at most 128 characters.',
    }),
  };
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

/** What has no time is an event of an old client, of which little is asked. */
function validate(event: ApiObject): FieldError[] {
  return validateAlways(objectOf(eventSchema, storedEventOf(event))).map((error) => ({
    ...error,
    path: corePath(error.path),
  }));
}

function corePath(path: string): string {
  const [first = ''] = /^\w+/.exec(path) ?? [];
  return (CORE_NAMES.get(first) ?? first) + path.slice(first.length);
}

function coreColumn(column: Column): Column {
  return {
    ...column,
    cell: (event, now) => column.cell(renameKeys(event, STORED_NAMES), now),
  };
}

/** Source: behaviours 1.15 and 9.4. */
export function coreEventDefinition(ttlSeconds = EVENT_TTL_SECONDS): ResourceDefinition {
  return builtinDefinition({
    group: '',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    namespaced: true,
    ttlSeconds,
    schema: coreEventSchema,
    formOf: {
      resource: { group: 'events.cluster.io', resource: 'events' },
      fromStored: coreEventOf,
      toStored: storedEventOf,
    },
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: true,
      unconditionalUpdate: true,
      garbageCollected: false,
      validate,
      validateUpdate: validate,
    },
    selectableFields: CORE_EVENT_FIELDS,
    columns: eventColumns.map(coreColumn),
  });
}
