import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Once the answer is out, the connection is not read until `until` calls back.
 * What its client sends next stays in the network, where it costs this process
 * nothing, and holds the client up.
 */
export function restConnection(
  { socket }: IncomingMessage,
  res: ServerResponse,
  until: (resume: () => void) => void,
): void {
  res.once('finish', () => {
    // In this turn Node still reads to the end of what it has just answered, and would resume.
    setImmediate(() => {
      if (socket.destroyed) return;
      socket.pause();
      until(() => {
        if (!socket.destroyed) socket.resume();
      });
    });
  });
}
