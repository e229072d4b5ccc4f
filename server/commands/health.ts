import { request } from 'node:https';
import { textOf, type OperatorCommand } from './command.ts';

const TIMEOUT_MS = 3_000;
const OK = 200;

/** For health checks of containers, which have no other program to ask with. */
export const healthCommand: OperatorCommand = {
  name: 'health',
  description: 'Asks a server on this machine whether it is ready; ends with 0 if it is.',
  options: (command) =>
    command.option('--server <url>', 'where it listens', 'https://127.0.0.1:6443'),
  run: (options) => askReady(textOf(options, 'server')),
};

function askReady(server: string): Promise<void> {
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
    req.on('timeout', () => req.destroy(new Error('no answer in time')));
    req.on('error', (error) => reject(new Error(`${server} is not ready: ${error.message}`)));
    req.end();
  });
}
