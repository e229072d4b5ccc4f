import { BudgetedSink, type Wire } from './budgeted-sink.ts';
import type { PushControl, PushedBody } from './message.ts';

/** What tells that a connection has room again, and that it is closed. */
interface ConnectionEvents {
  on(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Begins to push a body over a connection, under the user's budget of unsent bytes. */
export function startPush(
  connection: ConnectionEvents,
  wire: Wire,
  body: PushedBody,
  user: string,
): PushControl {
  const sink = new BudgetedSink(wire, user);
  const control = body.start(sink);
  sink.onRoom = () => control.resume();
  connection.on('drain', () => sink.drained());
  connection.on('close', () => {
    sink.closed();
    control.close();
  });
  return control;
}
