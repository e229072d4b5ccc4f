// Imported by the health check of containers, which runs every few seconds: nothing else is loaded here.
import { request } from 'node:https';

const TIMEOUT_MS = 3_000;
const OK = 200;

/**
 * Resolves when the server is ready.
 *
 * @throws Error with one line for the operator
 */
export function askReady(server: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: TIMEOUT_MS,
      // Nothing is told to the server, and all that is believed is a status.
      rejectUnauthorized: false,
    };
    const req = request(new URL('/readyz', server), options, (res) => {
      res.resume();
      res.on('end', () => {
        if (res.statusCode === OK) resolve();
        else reject(new Error(`${server} is not ready: ${res.statusCode ?? 'no status'}`));
      });
    });
    req.on('timeout', () => req.destroy(new Error('no response in time')));
    req.on('error', (error) => reject(new Error(`${server} is not ready: ${error.message}`)));
    req.end();
  });
}
