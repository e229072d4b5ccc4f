import type { ApiObject } from '../../api/object.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { microTimeOf } from '../../api/time.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { relativeKey } from '../../storage/keys.ts';
import { EVENTS_PREFIX } from '../kinds.ts';
import type { Loop } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';
import { eventNameOf, eventNamespaceOf, eventNote } from './occurrence.ts';
import type { EventRecorder, Pending } from './recorder.ts';

/** Events that are written in a second. */
const MAX_WRITES = 10;
const REST_MS = 1_000;
const PERIOD_MS = 60_000;
const MAX_INSTANCE = 128;
const CONTROLLER = 'plinth';
const GROUP = 'events.cluster.io';

/**
 * Writes what the recorder holds as Events, on every server: what happened on a
 * server is known there only. `unadmitted` has no webhooks and policies: an
 * Event about a webhook that fails must not call that webhook. A write that
 * fails is the Event's loss; the loop does not fail.
 */
export function eventLoop(
  unadmitted: RegistryParts,
  recorder: EventRecorder,
  identity: string,
): Loop {
  const writer = new LoopWriter(unadmitted);
  const instance = identity.slice(0, MAX_INSTANCE);
  const step = async (signal: AbortSignal): Promise<{ summary: string; againAfterMs?: number }> => {
    let written = 0;
    const due = recorder.due(MAX_WRITES);
    for (const pending of due) {
      signal.throwIfAborted();
      const { count } = pending;
      if (await wasWritten(() => write(unadmitted, writer, pending, instance, signal), signal)) {
        recorder.written(pending, count);
        written++;
      } else recorder.failed(pending);
    }
    const againAfterMs = recorder.nextIn();
    const summary = `${written} of ${due.length} events written`;
    return Number.isFinite(againAfterMs) ? { summary, againAfterMs } : { summary };
  };
  return {
    name: 'events',
    periodMs: PERIOD_MS,
    wokenBy: [],
    wakeOn: (wake) => recorder.onWork(wake),
    elected: false,
    restMs: REST_MS,
    step,
  };
}

async function wasWritten(act: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  try {
    return await act();
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

/** False: another server has written the Event at this moment. */
async function write(
  parts: RegistryParts,
  writer: LoopWriter,
  pending: Pending,
  instance: string,
  signal: AbortSignal,
): Promise<boolean> {
  const resource = eventsOf(parts);
  const { occurrence } = pending;
  const name = eventNameOf(occurrence);
  const namespace = eventNamespaceOf(occurrence);
  const { items } = parts.reader.replica.collection(EVENTS_PREFIX);
  const existing = items.get(relativeKey(namespace, name));
  if (existing === undefined) {
    const event = newEvent(pending, instance);
    event.metadata = { name, namespace };
    return (await writer.create(resource, event, signal)) !== undefined;
  }
  const edit = (event: ApiObject): void => {
    const before = getPath(event, 'series', 'count');
    const count = (typeof before === 'number' ? before : 1) + pending.count;
    Object.assign(event, { series: seriesOf(pending, count) });
  };
  const target = { resource, namespace, name };
  const { outcome } = await writer.change(target, seenOf(existing), edit, { signal });
  return outcome === 'done';
}

function newEvent(
  { occurrence, count, lastAt }: Pending,
  instance: string,
): JsonObject & { metadata: JsonObject } {
  const { regarding, type, reason, action } = occurrence;
  return {
    metadata: {},
    eventTime: microTimeOf(lastAt),
    reportingController: CONTROLLER,
    reportingInstance: instance,
    action,
    reason,
    type,
    note: eventNote(occurrence),
    regarding: { ...regarding },
    ...(count > 1 ? { series: seriesOf({ lastAt }, count) } : {}),
  };
}

function seriesOf({ lastAt }: Pick<Pending, 'lastAt'>, count: number): JsonObject {
  return { count, lastObservedTime: microTimeOf(lastAt) };
}

function eventsOf({ catalog }: RegistryParts): ServedResource {
  const resource = catalog.findStored(GROUP, 'events');
  if (resource === undefined) throw new Error('the kind of Events is missing');
  return resource;
}
