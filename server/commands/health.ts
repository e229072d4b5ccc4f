import { askReady } from './ask-ready.ts';
import { textOf, type OperatorCommand } from './command.ts';

/** For people and scripts; the image's own health check is server/probe.ts. */
export const healthCommand: OperatorCommand = {
  name: 'health',
  description:
    'Checks whether a server on this machine is ready; exits with 0 when it is, otherwise with 1.',
  options: (command) =>
    command.option('--server <url>', 'URL of the server', 'https://127.0.0.1:6443'),
  run: (options) => askReady(textOf(options, 'server')),
};
