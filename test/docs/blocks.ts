import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Commands of a page, as a reader would type them. */
interface Block {
  /** The heading above them. */
  readonly heading: string;
  /** What stands in the comment that says who executes them; empty: there is none. */
  readonly executedBy: string;
  readonly commands: string;
}

/** All blocks of commands of a page. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let executedBy = '';
  let commands: string[] | undefined;
  for (const line of readFileSync(join(ROOT, page), 'utf8').split('\n')) {
    if (commands !== undefined && line !== '```') commands.push(line);
    else if (commands !== undefined) {
      blocks.push({ heading, executedBy, commands: commands.join('\n') });
      [commands, executedBy] = [undefined, ''];
    } else if (line.startsWith('```sh')) commands = [];
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    else executedBy = /^<!-- executed by (.*) -->$/.exec(line)?.[1] ?? executedBy;
  }
  return blocks;
}

/** The block below a heading. */
export function blockOf(page: string, heading: string): Block {
  const found = blocksOf(page).find((block) => block.heading === heading);
  if (found === undefined) throw new Error(`${page} has no commands below "${heading}"`);
  return found;
}

interface ShellOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Before the commands: what stands for what a test does not have. */
  readonly prelude?: string;
}

/** A reader has Plinth on the path. */
const PLINTH = `plinth() { ${process.execPath} ${join(ROOT, 'dist/server/main.js')} "$@"; }`;

/**
 * A reader repeats a wait that fails while the conditions of a definition are null: the server has
 * not looked at its names yet, and kubectl takes that for an error.
 */
const PATIENTLY = `patiently() {
  local said code
  while true; do
    code=0
    said=$("$@" 2>&1) || code=$?
    case $said in
      *'conditions accessor error: <nil>'*) ;;
      *) echo "$said"; return $code ;;
    esac
  done
}`;

/**
 * Types commands into a shell that stops at the first that fails.
 *
 * @returns what they print
 * @throws Error with what they printed, when one fails
 */
export function type(commands: string, { cwd, env, prelude = '' }: ShellOptions): Promise<string> {
  const typed = commands.replaceAll(/^kubectl wait /gm, 'patiently kubectl wait ');
  const script = [PLINTH, PATIENTLY, prelude, typed].join('\n');
  return new Promise((done, fail) => {
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (text: Buffer) => (printed += text.toString()));
    }
    shell.once('error', fail);
    shell.once('close', (code) =>
      code === 0 ? done(printed) : fail(new Error(`${commands}\nended with ${code}:\n${printed}`)),
    );
  });
}

/** Commands of npm itself that the documents name. */
const OF_NPM = ['ci', 'install', 'pack'];

/** Fails where `npm <name>` is neither a script of this repository nor a command of npm that is known. */
export function assertNpmCommand(name: string): void {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: object;
  };
  assert.ok(OF_NPM.includes(name) || name in scripts, `npm ${name}`);
}
