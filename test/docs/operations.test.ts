import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { blockOf, blocksOf, ROOT, type } from './blocks.ts';

const PAGE = 'docs/operations.md';
const OWN = 'test/docs/operations.test.ts';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** Commands that are not executed here: they start a server, or all tests. */
const ELSEWHERE = /^npm (start|run test:chaos)/;

async function addLease(server: Plinth, name: string): Promise<bigint> {
  const { status, json } = await server.send('POST', LEASES, { metadata: { name } });
  assert.equal(status, 201);
  return BigInt(json.metadata.resourceVersion);
}

async function leasesOf(server: Plinth): Promise<string[]> {
  return (await server.get(LEASES)).json.items.map(({ metadata }: any) => metadata.name);
}

async function assertToldToReadAgain(server: Plinth, revision: bigint): Promise<void> {
  const path = `${LEASES}?watch=1&timeoutSeconds=2&resourceVersion=${revision}`;
  const { status, text } = await server.get(path);
  assert.ok(status === 410 || text.includes('"code":410'), `${status} ${text}`);
}

describe('docs/operations.md', function () {
  let scratch: string;
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true }));

  const commandsOf = (heading: string): string => {
    const { executedBy, commands } = blockOf(PAGE, heading);
    assert.equal(executedBy, OWN);
    return commands;
  };

  it('a test executes every block of commands, and says so', () => {
    const blocks = blocksOf(PAGE);
    assert.ok(blocks.length >= 12, `${blocks.length} blocks`);
    for (const { heading, executedBy } of blocks) {
      const file = executedBy.split(' ')[0]!;
      assert.notEqual(file, '', `no test executes the commands below "${heading}"`);
      const source = readFileSync(join(ROOT, file), 'utf8');
      assert.ok(source.includes(`'${heading}'`), `${file} does not execute "${heading}"`);
    }
  });

  it('has no commands outside of them', () => {
    const text = readFileSync(join(ROOT, PAGE), 'utf8').replaceAll(/```sh\n[^]*?```/g, '');
    const executed = blocksOf(PAGE).map(({ commands }) => commands);
    for (const [, command = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      const isCommand = /^(npm|docker|kubectl|etcdctl|etcdutl|plinth|systemctl) \S/.test(command);
      if (!isCommand || ELSEWHERE.test(command) || command.includes('--help')) continue;
      assert.ok(
        executed.some((commands) => commands.includes(command)),
        `no test executes ${command}`,
      );
    }
  });

  it('the service is installed and started as it says', async () => {
    for (const directory of ['opt', 'etc/systemd/system', 'state']) {
      mkdirSync(join(scratch, directory), { recursive: true });
    }
    const prelude = [
      // Installed and built these are already: what is started is what has been built, by this Node.
      'npm() { echo "npm $*" >> did; }',
      `cp() { if [ "$1" = -r ]; then ln -s ${ROOT}/dist ${ROOT}/node_modules ${ROOT}/package.json opt/plinth/; else sed 's#/usr/bin/node#${process.execPath}#' ${ROOT}/"$1" > "$2/$(basename "$1")"; fi; }`,
      'systemctl() { echo "systemctl $*" >> did; }',
      // Not on every machine; where it is, it has the last word on the unit.
      'if ! command -v systemd-analyze > /dev/null; then systemd-analyze() { test -f "$2"; }; fi',
    ].join('\n');
    const commands = commandsOf('As a service').replaceAll(/(?<= )\/(?=opt|etc)/g, `${scratch}/`);
    const unitFile = join(ROOT, 'deploy/systemd/plinth.service');
    const told = await type(commands, { cwd: scratch, prelude });
    assert.equal(told.trim(), '', 'systemd has nothing to say against the unit');
    assert.deepEqual(readFileSync(join(scratch, 'did'), 'utf8').trim().split('\n'), [
      ...['npm ci', 'npm run build', 'npm prune --omit=dev'],
      ...['systemctl daemon-reload', 'systemctl enable --now plinth'],
    ]);

    // As systemd does: settings by lines, variables in the command, words split where none are quoted.
    const unit = readFileSync(unitFile, 'utf8');
    const page = /file:\/\/\/opt\/plinth\/(\w+)\//.exec(unit)?.[1] ?? '';
    assert.match(commands, new RegExp(`^cp -r .* ${page} \\S+/opt/plinth/$`, 'm'));
    const setting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;
    const flags = /^PLINTH_FLAGS="(.*)"$/m.exec(
      readFileSync(join(scratch, 'etc/plinth/flags'), 'utf8'),
    )![1]!;
    const [, main = '', ...rest] = setting('ExecStart')
      .replace('/opt/', `${scratch}/opt/`)
      .replace('${STATE_DIRECTORY}', join(scratch, 'state'))
      .replace('$PLINTH_FLAGS', `${flags} --secure-port 0`)
      .split(' ');
    const server = spawn(process.execPath, [main, ...rest], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (text: Buffer) => (output += text.toString()));
    }
    const ended = once(server, 'exit');
    await eventually(() => output.includes('serves https'), 'it serves');
    const health = spawnSync(process.execPath, [
      ...[
        main,
        'health',
        '--server',
        /https:\/\/\S+/.exec(output)![0].replace('0.0.0.0', '127.0.0.1'),
      ],
    ]);
    assert.equal(health.status, 0, String(health.stderr));
    server.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], output);
    assert.ok(Number(setting('TimeoutStopSec')) > 60, 'requests under way have a minute');
  });

  it('certificates are made as it says', async () => {
    await type(commandsOf('Certificates'), { cwd: scratch });
    const pki = (file: string): string => readFileSync(join(scratch, 'pki', file), 'utf8');
    for (const file of ['etcd-ca.crt', 'etcd.crt', 'etcd-client.crt', 'ca.crt', 'serving.crt']) {
      assert.match(pki(file), /BEGIN CERTIFICATE/);
    }
    assert.match(pki('admin.kubeconfig'), /https:\/\/api\.example\.org:6443/);
  });

  it('the embedded store is backed up and restored, and moved to etcd, as it says', async () => {
    const data = join(scratch, 'data');
    const server = await Plinth.start({ dataDir: data });
    const etcd = await TestEtcd.start();
    try {
      await addLease(server, 'kept');
      const [backup = '', restore = ''] = commandsOf('The embedded store').split('\n');
      await type(backup, { cwd: scratch });
      const lost = await addLease(server, 'lost');
      await type(restore, { cwd: scratch });
      await server.stop();
      const restored = await Plinth.start({ dataDir: join(scratch, 'restored') });
      assert.deepEqual(await leasesOf(restored), ['kept']);
      await assertToldToReadAgain(restored, lost);
      await restored.stop();
      const checked = await type(commandsOf('Objects that cannot be read'), { cwd: scratch });
      assert.match(checked, /^(Checked \d+ objects; 0 cannot be read\.\n){2}$/);

      const env = { ETCDCTL_ENDPOINTS: etcd.url };
      await type(commandsOf('Moving from embedded to etcd'), { cwd: scratch, env });
      const moved = await Plinth.start({ dataDir: data, args: ['--etcd-servers', etcd.url] });
      assert.deepEqual(await leasesOf(moved), ['kept', 'lost']);
      await assertToldToReadAgain(moved, lost);
      await moved.stop();
    } finally {
      await server.stop('SIGKILL');
      await etcd.dispose();
    }
  });

  it('what it looks at by hand is there', async () => {
    const server = await Plinth.start();
    try {
      const env = { KUBECONFIG: server.kubeconfig, HOME: scratch };
      const shown = await type(commandsOf('By hand'), { cwd: scratch, env });
      for (const part of ['[+]ping ok', '"comparison"', 'plinth_replica_ready 1']) {
        assert.ok(shown.includes(part), `${part} in ${shown.slice(0, 2_000)}`);
      }
    } finally {
      await server.dispose();
    }
  });
});
