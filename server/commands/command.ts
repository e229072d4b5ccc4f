import { Command, CommanderError } from 'commander';
import { FlagError } from '../../config/flags.ts';

/** What `plinth <name>` does instead of serving. */
export interface OperatorCommand {
  readonly name: string;
  readonly description: string;
  /** Words after the name, as commander reads them: `<action> [name]`. Absent: there are none. */
  readonly words?: string;
  /** Declares the command's own options. */
  readonly options: (command: Command) => Command;
  /**
   * Loads what it uses when it runs: every start of the program loads this file.
   *
   * @throws Error whose first line is for the operator
   */
  readonly run: (
    options: Record<string, unknown>,
    write: (text: string) => void,
    words: readonly string[],
  ) => Promise<void>;
}

/** @throws FlagError, or what the command throws */
export async function runCommand(
  operator: OperatorCommand,
  args: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  const command = operator
    .options(new Command(`plinth ${operator.name}`))
    .description(operator.description)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  if (operator.words !== undefined) command.arguments(operator.words);
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new FlagError(message, error.exitCode === 0 ? 0 : 2);
  }
  await operator.run(command.opts(), write, command.args);
}

/** An option that commander has made sure is text. */
export function textOf(options: Record<string, unknown>, name: string): string {
  const value = options[name];
  return typeof value === 'string' ? value : '';
}
