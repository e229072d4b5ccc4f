import { CommanderError, type Command, type Option } from 'commander';

/** The command line is wrong; the message is one line for the operator. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
  /** 0 when the user asked for --help. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Has a command read its arguments (without node and script). `write` gets the
 * text of --help.
 *
 * @throws FlagError with one line; --help throws one with exit code 0
 */
export function parseArguments(
  command: Command,
  args: readonly string[],
  write: (text: string) => void,
): void {
  command
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined })
    .configureHelp({ optionDescription: helpOf });
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new FlagError(message, error.exitCode === 0 ? 0 : 2);
  }
}

/** What --help says of a flag. */
function helpOf({ description, argChoices, defaultValue }: Option): string {
  const unset = writtenDefault(defaultValue);
  const notes = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(unset === '' ? [] : [`default: ${unset}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** The default of a flag as a user would write it; empty: there is none. */
export function writtenDefault(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return value === undefined ? '' : JSON.stringify(value).replaceAll('"', '');
}
