/**
 * The health check of the image: ends with 0 when the server is ready. A
 * program of its own, since `plinth health` loads the whole server first: 0.5 s
 * of CPU time where this takes 0.1 s, most of it Node's own start.
 */
import { askReady } from './commands/ask-ready.ts';

askReady(process.argv[2] ?? 'https://127.0.0.1:6443').catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
