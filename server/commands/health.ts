import { askReady } from './ask-ready.ts';
import { textOf, type OperatorCommand } from './command.ts';

/** For people and scripts; the image's own health check is server/probe.ts. */
export const healthCommand: OperatorCommand = {
  name: 'health',
  description: 'Asks a server on this machine whether it is ready; ends with 0 if it is.',
  options: (command) =>
    command.option('--server <url>', 'where it listens', 'https://127.0.0.1:6443'),
  run: (options) => askReady(textOf(options, 'server')),
};
