import { advanceCommand } from './advance.ts';
import { backupCommand } from './backup.ts';
import { certificatesCommand } from './certificates.ts';
import { checkCommand } from './check.ts';
import type { OperatorCommand } from './command.ts';
import { healthCommand } from './health.ts';
import { migrateCommand } from './migrate.ts';
import { FlagError } from '../../config/command-line.ts';
import { restoreCommand } from './restore.ts';
import { userCommand } from './user.ts';
import { versionCommand } from './version.ts';

/** All subcommands of the program. */
export const COMMANDS: readonly OperatorCommand[] = [
  backupCommand,
  restoreCommand,
  checkCommand,
  migrateCommand,
  advanceCommand,
  certificatesCommand,
  userCommand,
  healthCommand,
  versionCommand,
];

/**
 * The command that a command line names; undefined: it is to serve.
 *
 * @throws FlagError for a word that is not a command
 */
export function commandOf(word: string | undefined): OperatorCommand | undefined {
  if (word === '--version') return versionCommand;
  if (word === undefined || word.startsWith('-')) return undefined;
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  const names = COMMANDS.map(({ name }) => name).join(', ');
  throw new FlagError(`unknown command ${JSON.stringify(word)}: expected one of ${names}`);
}

/** The arguments of the program; `help` and `help <command>` become `--help` and `<command> --help`. */
export function argumentsOf(given: readonly string[]): readonly string[] {
  return given[0] === 'help' ? [...given.slice(1), '--help'] : given;
}

/** What `plinth --help` says of them. */
export function commandsHelp(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`);
  return [
    '',
    'Without a command, plinth starts the server. Commands (see plinth help <command>):',
    ...lines,
  ].join('\n');
}
