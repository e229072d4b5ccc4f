import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../api/clock.ts';

/** At so many connections those that do nothing are closed; if none does, new ones are. */
const MAX_CONNECTIONS = 50_000;
/** Of the files that a process may open, what is left for all but its clients: a quarter, within these bounds. */
const LEAST_RESERVE = 64;
const MOST_RESERVE = 1_024;
/** Who may have fewer is told at the start. */
const FEW_CONNECTIONS = 4_096;
/** Between two reports of refused connections. */
const REPORT_MS = 60_000;

/** How many connections a server takes. */
export interface ConnectionBound {
  readonly connections: number;
  /** Files that the system lets the process open, where they are the bound. */
  readonly openFiles?: number | undefined;
}

interface Told {
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/**
 * The bound of this process. Without room for other files a server that is full
 * would open no connection to its store and read no file.
 */
export function connectionBound(openFiles = openFilesLimit()): ConnectionBound {
  const reserve = Math.min(MOST_RESERVE, Math.max(LEAST_RESERVE, Math.ceil(openFiles / 4)));
  const connections = Math.max(1, openFiles - reserve);
  return connections < MAX_CONNECTIONS
    ? { connections, openFiles }
    : { connections: MAX_CONNECTIONS };
}

/** Infinite where the system does not say. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * At the bound, idle connections are closed in favour of new ones. Tells of connections that are refused, and why.
 *
 * To be called before the server listens.
 */
export function limitConnections(
  server: Server,
  { connections, openFiles }: ConnectionBound,
  { clock, onProblem }: Told,
): void {
  const why =
    openFiles === undefined ? '' : ` (the system lets this process open ${openFiles} files)`;
  if (connections < FEW_CONNECTIONS) {
    onProblem(`no more than ${connections} connections are taken at a time${why}`);
  }
  dropBeyond(server, connections);
  let refused = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    // it skips connections that have not sent a request; the timeouts of the server end them
    server.closeIdleConnections();
    refused++;
    const now = clock.monotonic();
    if (now - toldAt < REPORT_MS) return;
    onProblem(
      `new connections refused (${refused}): ${connections} are open, as many as may be${why}`,
    );
    toldAt = now;
    refused = 0;
  });
}

/**
 * Beyond so many connections new ones are closed, with a `drop` each. Node's own
 * bound (`maxConnections`) has no event in a worker of `node:cluster`: the worker
 * gives the connection back, and gets it again and again until it has room.
 */
function dropBeyond(server: Server, connections: number): void {
  const takers = server.listeners('connection');
  server.removeAllListeners('connection');
  let open = 0;
  const onClose = (): void => void open--;
  server.on('connection', (socket: Socket) => {
    if (open >= connections) {
      socket.destroy();
      server.emit('drop');
      return;
    }
    open++;
    socket.once('close', onClose);
    for (const take of takers) Reflect.apply(take, server, [socket]);
  });
}
