import type { Encoder } from './frames.ts';
import { sharedFrame } from './frames.ts';
import type { HistoryEvent } from './history.ts';
import type { Scope } from './scope.ts';

/**
 * The frame of an event as a stream of this scope sees it; undefined: the event
 * is none of its. An object that begins to match is ADDED, one that no longer
 * matches is DELETED, and one that looks as before is not told of.
 */
export function selectedFrame(
  encoder: Encoder,
  scope: Scope,
  event: HistoryEvent,
): Buffer | Promise<Buffer> | undefined {
  const { key } = event.entry;
  const { start, end } = scope.range;
  if (key < start || (end !== undefined && key >= end)) return undefined;
  const { previous } = event;
  const before = previous !== undefined && scope.matches(previous);
  const after = event.type !== 'DELETED' && scope.matches(event.entry);
  if (before && after && encoder.isSame?.(previous, event.entry) === true) return undefined;
  if (after) return sharedFrame(encoder, event, before ? 'MODIFIED' : 'ADDED', false);
  if (!before) return undefined;
  return sharedFrame(encoder, event, 'DELETED', event.type !== 'DELETED');
}
