import { createSocket } from 'node:dgram';
import { once, type EventEmitter } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the kernel gives to connections and to listeners on port 0: one of those
 * would take the port of a server that is down between two starts.
 */
const FIRST = 12_000;
const COUNT = 20_000;
/** Starts on other ports, when a program that is not a test has taken one. */
const MOST_STARTS = 5;

/** Processes of tests begin at different ports. */
let next = (process.pid * 17) % COUNT;

/**
 * Free ports of 127.0.0.1, for servers that start, and start again, at an address that is known
 * before. While this process lives no other process of tests gets them: a UDP socket with the same
 * number claims each.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === COUNT) throw new Error('no port is free');
    const port = FIRST + (next++ % COUNT);
    if ((await claims(port)) && (await isFree(port))) ports.push(port);
  }
  return ports;
}

/** Starts again, on other ports, when a port was taken between the choice and the start. */
export async function onFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let starts = 1; ; starts++) {
    try {
      return await start();
    } catch (error) {
      const isTaken = /address already in use|EADDRINUSE/i.test(String(error));
      if (!isTaken || starts === MOST_STARTS) throw error;
    }
  }
}

/** False when another process has claimed it. */
async function claims(port: number): Promise<boolean> {
  const claim = createSocket('udp4');
  claim.bind({ port, address: '127.0.0.1' });
  if (await listens(claim)) {
    claim.unref();
    return true;
  }
  claim.close();
  return false;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await listens(server))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** False when the port is taken. */
function listens(socket: EventEmitter): Promise<boolean> {
  return once(socket, 'listening').then(
    () => true,
    () => false,
  );
}
