import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, getPath, type JsonObject, type JsonValue } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { qualifiedNameErrors } from '../../api/names.ts';
import {
  DEFAULT_NAMESPACE,
  KUBE_SYSTEM_NAMESPACE,
  neutralApiVersion,
  SYSTEM_NAMESPACE,
} from '../../api/naming.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { textAt } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateImmutable } from '../immutable.ts';
import { validateMetadataFinalizers } from '../metadata-rules.ts';
import { eventNames } from '../named-groups.ts';
import { eventColumns } from './event-columns.ts';
import { eventSchema } from './event-schema.ts';

/** Events vanish an hour after their last write. Source: behaviours 9.4. */
export const EVENT_TTL_SECONDS = 3600;
const MAX_CHARACTERS = 128;
const MAX_NOTE_BYTES = 1024;
const TYPES = ['Normal', 'Warning'];

type Event = ValueOf<typeof eventSchema>;

/** Where reporters of old kept events about the cluster. */
const SYSTEM_NAMESPACES: readonly string[] = [SYSTEM_NAMESPACE, KUBE_SYSTEM_NAMESPACE];

/**
 * Objects of the cluster have no namespace: events about them live in
 * the namespaces of the system. An event about an object in a namespace lives in
 * that namespace; with eventTime it may live elsewhere. Source: kube-apiserver, validation of core events.
 */
function livesWhereItBelongs({ metadata, regarding, eventTime }: Event): boolean {
  const { namespace = '' } = metadata;
  if ((regarding.namespace ?? '') === '') {
    return (
      namespace === DEFAULT_NAMESPACE ||
      (SYSTEM_NAMESPACES.includes(namespace) && eventTime !== null)
    );
  }
  return eventTime !== null || regarding.namespace === namespace;
}

/** What every event needs, whether it is new or changed. Source: specification 1, sections 2.3 and 8. */
export function validateAlways(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  if (!livesWhereItBelongs(event)) {
    const why = 'does not match event.namespace';
    const given = event.regarding.namespace ?? '';
    errors.push(fieldError.invalid('regarding.namespace', given, why));
  }
  errors.push(...validateMetadataFinalizers(event.metadata));
  // old events had none of the rest; that eventTime is missing says it all
  if (event.eventTime === null) return errors;
  const { reportingController = '', note = '' } = event;
  errors.push(
    ...(reportingController === ''
      ? [fieldError.required('reportingController')]
      : invalidEach(
          FieldPath.of('reportingController'),
          reportingController,
          qualifiedNameErrors(reportingController),
        )),
    ...validateWord('reportingInstance', event.reportingInstance),
    ...validateWord('action', event.action),
    ...validateWord('reason', event.reason),
  );
  if (Buffer.byteLength(note) > MAX_NOTE_BYTES) {
    errors.push(fieldError.invalid('note', '', `can have at most ${MAX_NOTE_BYTES} bytes`));
  }
  return errors;
}

function validateWord(path: string, word = ''): FieldError[] {
  if (word === '') return [fieldError.required(path)];
  return isLongerThan(word, MAX_CHARACTERS)
    ? [fieldError.invalid(path, '', `can have at most ${MAX_CHARACTERS} characters`)]
    : [];
}

/** Counts code points, and no further than it has to. */
function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || Array.from(text).length > max);
}

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  const path = FieldPath.of('series');
  const errors: FieldError[] = [];
  if (series.count < 2) {
    errors.push(fieldError.invalid(path.child('count'), series.count, 'should be at least 2'));
  }
  if (series.lastObservedTime === null) {
    errors.push(fieldError.required(path.child('lastObservedTime')));
  }
  return errors;
}

/** Source: specification 1, section 2.3; behaviours 9.4. */
function validate(event: Event): FieldError[] {
  const errors = [...validateAlways(event), ...validateSeries(event)];
  if (event.eventTime === null) errors.push(fieldError.required('eventTime'));
  const { type = '' } = event;
  if (!TYPES.includes(type)) {
    errors.push(fieldError.invalid('type', type, `must be one of ${TYPES.join(', ')}`));
  }
  return [...errors, ...validateDeprecated(event)];
}

function validateDeprecated(event: Event): FieldError[] {
  const { component = '', host = '' } = event.deprecatedSource;
  const set: [string, JsonValue, boolean][] = [
    ['deprecatedFirstTimestamp', event.deprecatedFirstTimestamp, false],
    ['deprecatedLastTimestamp', event.deprecatedLastTimestamp, false],
    ['deprecatedCount', event.deprecatedCount ?? 0, (event.deprecatedCount ?? 0) !== 0],
    ['deprecatedSource', { ...event.deprecatedSource }, component !== '' || host !== ''],
  ];
  return set
    .filter(([, value, isSet]) => isSet || typeof value === 'string')
    .map(([path, value]) => fieldError.invalid(path, value, 'needs to be unset'));
}

/** Only series changes over the life of an event. */
const IMMUTABLE = [
  'regarding',
  'reason',
  'note',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
];

function validateUpdate(event: Event, old: Event): FieldError[] {
  const isSameSeries = deepEqual(event['series'], old['series']);
  return [
    ...validateAlways(event),
    ...(isSameSeries ? [] : validateSeries(event)),
    ...IMMUTABLE.flatMap((field) =>
      validateImmutable(FieldPath.of(field), event[field], old[field]),
    ),
  ];
}

const REGARDING = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
];

/** Selectors name groups by the neutral name, whichever the reporter used. */
function regardingText(event: JsonObject, field: string): string {
  const text = textAt(event, 'regarding', field);
  return field === 'apiVersion' ? neutralApiVersion(text) : text;
}

function selectableFields(): Map<string, (object: JsonObject) => string> {
  const fields = new Map<string, (object: JsonObject) => string>();
  for (const field of REGARDING) {
    fields.set(`regarding.${field}`, (object) => regardingText(object, field));
  }
  for (const field of ['reason', 'reportingController', 'type']) {
    fields.set(field, (object) => textAt(object, field));
  }
  return fields;
}

/**
 * How clients of the core Event name the selectable fields. `source` has no
 * counterpart: it stands for deprecatedSource.component, or the controller.
 */
export const CORE_EVENT_FIELDS: ReadonlyMap<string, (object: JsonObject) => string> = new Map([
  ...REGARDING.map(
    (field) =>
      [`involvedObject.${field}`, (object: JsonObject) => regardingText(object, field)] as const,
  ),
  ['reason', (object) => textAt(object, 'reason')],
  ['type', (object) => textAt(object, 'type')],
  ['reportingComponent', (object) => textAt(object, 'reportingController')],
  [
    'source',
    (object) => {
      const component = getPath(object, 'deprecatedSource', 'component');
      return typeof component === 'string' && component !== ''
        ? component
        : textAt(object, 'reportingController');
    },
  ],
]);

/** `ttlSeconds`: how long an Event lives after its last write. Source: specification 1, section 2.3; behaviours 9.0 and 9.4. */
export function eventDefinition(ttlSeconds = EVENT_TTL_SECONDS): ResourceDefinition {
  return builtinDefinition({
    group: 'events.cluster.io',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    ttlSeconds,
    schema: eventSchema,
    renamed: eventNames,
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: true,
      unconditionalUpdate: true,
      garbageCollected: false,
      validate,
      validateUpdate,
    },
    selectableFields: selectableFields(),
    columns: eventColumns,
  });
}
