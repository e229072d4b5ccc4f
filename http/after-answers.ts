import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node's HTTP server keeps with a connection. */
interface Connection extends Socket {
  /** The response that is being sent; the next one follows when it has left. */
  _httpMessage?: ServerResponse | null;
}

/**
 * Calls back when the answers to the requests before have left the connection, at once where there
 * are none, and never when the connection ends with them. To be called once Node has given the
 * connection away: what Node's server did for these answers is done here.
 */
export function afterAnswers(socket: Connection, then: () => void): void {
  if (socket._httpMessage === undefined || socket._httpMessage === null) {
    then();
    return;
  }
  const onDrain = (): void => void socket._httpMessage?.emit('drain');
  socket.on('drain', onDrain);
  const wait = (): void => {
    const { _httpMessage: response } = socket;
    // Node has its own listener before this one, which puts the next response in its place.
    if (response !== undefined && response !== null) response.once('finish', wait);
    else {
      socket.off('drain', onDrain);
      // not after an answer that was the last one of its connection
      if (socket.writable) then();
    }
  };
  wait();
}
