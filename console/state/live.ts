import { signal } from '@preact/signals';
import { Stream, type Connection, type Socket } from '../api/stream.ts';

/** Whether the one connection is there. */
export const connection = signal<Connection>('connecting');

const WATCH_PATH = '/apis/query.cluster.io/v1/watch';

function open(): Socket {
  const url = new URL(WATCH_PATH, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return new WebSocket(url) as Socket;
}

/** The one stream of changes that all views share. */
export const stream = new Stream({
  open,
  later: (run, ms) => setTimeout(run, ms),
  random: Math.random,
  onState: (state) => (connection.value = state),
});

// A laptop that wakes up, or a network that is back, need not wait for the next attempt.
addEventListener('online', () => stream.connect());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stream.connect();
});
