import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../server/commands/commands.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { assertNpmCommand, blockOf, blocksOf, ROOT, type } from './blocks.ts';

const FOLDERS = ['', 'docs', 'docs/decisions', 'bench', 'deploy'];

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const pages = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Commands within sentences and tables. */
function commandsOf(page: string): string[] {
  const prose = textOf(page).replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => command);
}

describe('the commands of all pages', () => {
  it('every block says which test executes it', () => {
    const blocks = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));
    assert.ok(blocks.length >= 15, `${blocks.length} blocks`);
    for (const { page, heading, executedBy } of blocks) {
      const tests = executedBy.match(/test\/[\w/.-]+\.test\.ts/g) ?? [];
      assert.notEqual(tests.length, 0, `${page}: no test executes the commands below "${heading}"`);
      for (const test of tests) assert.ok(statSync(join(ROOT, test)).isFile(), test);
    }
    const fences = pages.flatMap(
      (page) => textOf(page).match(/^```(?:bash|console|shell)$/gm) ?? [],
    );
    assert.deepEqual(fences, [], 'commands stand in blocks of sh');
  });

  for (const file of ['docker-compose.yml', 'deploy/docker-compose.ha.yml']) {
    it(`${file}: what its head says is executed with the guide for operators`, () => {
      const executed = blocksOf('docs/operations.md').flatMap(({ commands }) =>
        commands.split('\n'),
      );
      const lines = [...textOf(file).matchAll(/^# {3}(\S.*)$/gm)].map(([, line = '']) => line);
      assert.ok(lines.length >= 2, file);
      for (const line of lines) assert.ok(executed.includes(line), line);
    });
  }

  for (const page of pages) {
    it(`${page}: what it names within sentences is there`, () => {
      for (const command of commandsOf(page)) {
        const script = /^npm (?:run )?([a-z:]+)/.exec(command)?.[1];
        if (script !== undefined) assertNpmCommand(script);
        const file = /^node .*?([\w/]+\.ts)/.exec(command)?.[1];
        if (file !== undefined) assert.ok(statSync(join(ROOT, file)).isFile(), command);
        const verb = /^plinth (?!help\b)([a-z]+)/.exec(command)?.[1];
        if (verb !== undefined)
          assert.ok(
            COMMANDS.some(({ name }) => name === verb),
            command,
          );
      }
    });
  }

  it('docs/security.md: what is left to encrypt is told by the command that it names', async function () {
    const page = 'docs/security.md';
    const command = commandsOf(page).find((one) => one.startsWith('kubectl get --raw /metrics'));
    assert.ok(command);
    const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    const key = await type(blockOf(page, 'Encryption at rest').commands, { cwd: scratch });
    const sample = /```yaml\n(# encryption\.yaml[^]*?)```/.exec(textOf(page))![1]!;
    const file = join(scratch, 'encryption.yaml');
    writeFileSync(file, sample.replace('<the line above>', key.trim()));
    const plinth = await Plinth.start({ args: ['--encryption-provider-config', file] });
    try {
      const env = { KUBECONFIG: plinth.kubeconfig, HOME: scratch };
      const told = (): Promise<string> => type(command, { cwd: scratch, env }).catch(() => '');
      await eventually(async () => / 0$/m.test(await told()), 'that nothing is left');
    } finally {
      await plinth.dispose();
      rmSync(scratch, { recursive: true });
    }
  });
});
