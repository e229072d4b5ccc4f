import { signal } from '@preact/signals';
import type { ResourceRef } from '../../client/resource.ts';
import type { StatusError } from '../../client/status.ts';
import { LiveStream } from '../../client/stream/live.ts';
import type { LiveState } from '../../client/stream/live-options.ts';
import type { OnLiveEvent, SubscriptionRequest } from '../../client/stream/subscription.ts';
import { client, signedOut } from '../api/http.ts';
import type { KindName } from '../api/kind.ts';
import { lookForBuild } from './build.ts';

/** Whether the one connection is there. Idle: nothing is followed, so there is none. */
export const connection = signal<'idle' | 'connecting' | 'live' | 'lost' | 'refused'>('idle');

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

let end: StatusError | undefined;
let wasLost = false;
let stream = opened();

function opened(): LiveStream {
  end = undefined;
  return new LiveStream({ client, onState: (state) => became(state) });
}

function became(state: LiveState): void {
  switch (state.state) {
    case 'live':
      connection.value = 'live';
      // the server may have been replaced meanwhile
      if (wasLost) lookForBuild();
      wasLost = false;
      break;
    case 'idle':
    case 'connecting':
      connection.value = state.state;
      break;
    case 'waiting':
      connection.value = 'lost';
      wasLost = true;
      break;
    case 'ended':
      wasLost = true;
      end = state.error;
      connection.value = end.code === 403 ? 'refused' : 'lost';
      if (end.code === 401) signedOut(end);
      break;
  }
}

/** Follows a resource on the one stream that all views share; the answer ends it. */
export function follow(request: SubscriptionRequest, onEvent: OnLiveEvent): () => void {
  return stream.subscribe(request, onEvent);
}

/** What of a kind to follow: in a namespace, or everywhere. */
export function refOf({ group, version, plural }: KindName, namespace = ''): ResourceRef {
  return { group, version, resource: plural, namespace };
}

/** Someone has signed in: the stream of before, and its subscriptions with it, is that of another session. */
export function renew(): void {
  stream.close();
  stream = opened();
  connection.value = 'idle';
}

/** Connects now, also when the next attempt would be later. */
export function connectNow(): void {
  // a stream that the server has refused does not come back by itself
  if (end !== undefined) location.reload();
  else stream.poke();
}

// A laptop that wakes up, or a network that is back, need not wait for the next attempt.
addEventListener('online', () => stream.poke());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stream.poke();
});
