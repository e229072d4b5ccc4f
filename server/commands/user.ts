import type { Command } from 'commander';
import { FlagError } from '../../config/command-line.ts';
import { integerBetween } from '../../config/parsers.ts';
import type { OperatorCommand } from './command.ts';

const MAX_DAYS = 3650;

/** Certificates by which people and programs sign in, issued and taken back through the API. */
export const userCommand: OperatorCommand = {
  name: 'user',
  description:
    'Manages client certificates of people and programs. `add NAME` issues a certificate and writes a kubeconfig; `list` shows the issued certificates; `revoke NAME` revokes all certificates of a user within 30 seconds.',
  words: '<action> [name]',
  options: (command: Command) =>
    command
      .option('--group <name>', 'add: a group of the user; may be repeated', more, [])
      .option('--days <days>', 'add: lifetime of the certificate', integerBetween(1, MAX_DAYS))
      .option('--out <file>', 'add: the kubeconfig to write. Default: NAME.kubeconfig')
      .option(
        '--kubeconfig <file>',
        'kubeconfig of a user who may create and approve signing requests',
        'data/admin.kubeconfig',
      ),
  run: async (options, write, [action = '', name = '']) => {
    const { actOnUsers } = await import('./user-actions.ts');
    const answer = await actOnUsers(action, name, options);
    if (answer === undefined) {
      throw new FlagError('plinth user: expected "add NAME", "list" or "revoke NAME"');
    }
    write(answer);
  },
};

function more(value: string, previous: string[]): string[] {
  return [...previous, value];
}
