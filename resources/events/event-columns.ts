import { getPath, type JsonObject } from '../../api/json.ts';
import { age } from '../../api/time.ts';
import { nameColumn, pathColumn, textAt, textColumn, WIDE } from '../columns.ts';
import type { Column } from '../definition.ts';

/** Source: behaviours 9.0; printers of kube, printEvent. Deprecated fields only tell of old events. */

function firstSeen(object: JsonObject, now: number): string {
  const first = textAt(object, 'deprecatedFirstTimestamp');
  return age(first === '' ? textAt(object, 'eventTime') : first, now);
}

function lastSeen(object: JsonObject, now: number): string {
  const observed = textAt(object, 'series', 'lastObservedTime');
  if (observed !== '') return age(observed, now);
  const last = textAt(object, 'deprecatedLastTimestamp');
  return last === '' ? firstSeen(object, now) : age(last, now);
}

function count(object: JsonObject): number {
  const times = getPath(object, 'series', 'count') ?? getPath(object, 'deprecatedCount');
  return typeof times === 'number' && times > 0 ? times : 1;
}

function target(object: JsonObject): string {
  const kind = textAt(object, 'regarding', 'kind').toLowerCase();
  const name = textAt(object, 'regarding', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function source(object: JsonObject): string {
  const component = textAt(object, 'deprecatedSource', 'component');
  const host = textAt(object, 'deprecatedSource', 'host');
  const who = component === '' ? textAt(object, 'reportingController') : component;
  const where = host === '' ? textAt(object, 'reportingInstance') : host;
  return where === '' ? who : `${who}, ${where}`;
}

export const eventColumns: readonly Column[] = [
  textColumn('Last Seen', 'How long ago the event was last observed.', lastSeen),
  pathColumn('Type', 'Normal or Warning.', 'type'),
  pathColumn('Reason', 'Why it happened.', 'reason'),
  textColumn('Object', 'What the event is about.', target),
  textColumn(
    'Subobject',
    'The part of the object that is meant.',
    (object) => textAt(object, 'regarding', 'fieldPath'),
    WIDE,
  ),
  textColumn('Source', 'Who reported the event.', source, WIDE),
  textColumn('Message', 'What happened.', (object) => textAt(object, 'note').trim()),
  textColumn('First Seen', 'How long ago the event was first observed.', firstSeen, WIDE),
  { ...textColumn('Count', 'How often it has been observed.', String, WIDE), cell: count },
  { ...nameColumn, priority: WIDE },
];
