import { Command } from 'commander';
import { parseArguments } from '../../config/command-line.ts';

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
    .description(operator.description);
  if (operator.words !== undefined) command.arguments(operator.words);
  parseArguments(command, args, write);
  await operator.run(command.opts(), write, command.args);
}

/** An option that commander has made sure is text. */
export function textOf(options: Record<string, unknown>, name: string): string {
  const value = options[name];
  return typeof value === 'string' ? value : '';
}
