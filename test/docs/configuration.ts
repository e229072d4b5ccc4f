import { Command } from 'commander';
import { COMMANDS } from '../../server/commands/commands.ts';
import { writtenDefault } from '../../config/command-line.ts';
import { FLAGS } from '../../config/flags.ts';

/** The text of docs/configuration.md, from the flags themselves. */
export function configurationReference(): string {
  const rows = FLAGS.map(({ flags, description, default: value, choices }) => {
    const oneOf = choices === undefined ? '' : ` One of ${choices.join(', ')}.`;
    return `| \`${escape(flags)}\` | ${shown(value)} | ${escape(description)}.${oneOf} |`;
  });
  const commands = COMMANDS.map(({ name, description, options }) => {
    const lines = options(new Command()).options.map((option) => {
      const needed = option.mandatory ? ' (needed)' : '';
      return `| \`${escape(option.flags)}\` | ${shown(option.defaultValue)} | ${escape(option.description)}${needed} |`;
    });
    return [`### plinth ${name}`, '', escape(description), '', ...HEAD, ...lines].join('\n');
  });
  return [
    '# Configuration',
    '',
    '`npm run docs:configuration` writes this page from the flags; a test fails when the page is stale.',
    '',
    '## Flags of the server',
    '',
    ...HEAD,
    ...rows,
    '',
    '## Commands',
    '',
    commands.join('\n\n'),
    '',
  ].join('\n');
}

const HEAD = ['| flag | default | meaning |', '|---|---|---|'];

function shown(value: unknown): string {
  const written = writtenDefault(value);
  return written === '' ? '' : `\`${written}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}
