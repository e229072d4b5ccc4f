import type { Collection } from './collection.ts';

/** How much of the past stays in memory; what is older is read from the store. */
export interface HistoryLimits {
  /** Events younger than this stay unless `maxBytes` is exceeded. */
  minAgeMs: number;
  /** Events older than this go. */
  maxAgeMs: number;
  /** Above this the events older than `minAgeMs` go. */
  softBytes: number;
  /** Above this the oldest events go, whatever their age. */
  maxBytes: number;
}

export const DEFAULT_HISTORY_LIMITS: HistoryLimits = {
  minAgeMs: 75_000,
  maxAgeMs: 300_000,
  softBytes: 64 * 1024 * 1024,
  maxBytes: 512 * 1024 * 1024,
};

/** Frames of older events are dropped; a stream that lags further behind makes them again. */
const FRAME_AGE_MS = 5_000;

/** Cuts old history and cached frames. The bytes count for all collections together. */
export function trimHistories(
  collections: readonly Collection[],
  { minAgeMs, maxAgeMs, softBytes, maxBytes }: HistoryLimits,
  now: number,
): void {
  let bytes = 0;
  for (const { history } of collections) bytes += history.bytes;
  for (const { history } of collections) {
    history.dropFramesBefore(now - FRAME_AGE_MS);
    const others = bytes - history.bytes;
    history.trim((event, kept) => {
      const age = now - event.seenAt;
      const total = others + kept;
      return age > maxAgeMs || total > maxBytes || (age > minAgeMs && total > softBytes);
    });
    bytes = others + history.bytes;
  }
}
