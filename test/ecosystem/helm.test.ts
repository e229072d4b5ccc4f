import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';
import { newestPrograms } from './packages.ts';

const run = promisify(execFile);

describe('Helm 4', function () {
  this.timeout(300_000);
  let plinth: Plinth;
  let kubectl: Kubectl;
  let home: string;
  let program: string;
  before(async () => {
    program = (await newestPrograms()).helm;
    home = mkdtempSync(join(tmpdir(), 'plinth-helm-'));
    plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
    kubectl = new Kubectl(plinth.kubeconfig);
    await kubectl.ok(['apply', '-f', 'examples/builtin-groups/']);
    await kubectl.definitionsAre('Established', '--all');
    await helm(['create', 'shop']);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
    rmSync(home, { recursive: true });
  });

  const helm = async (args: readonly string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: plinth.kubeconfig };
    const { stdout, stderr } = await run(program, args, { cwd: home, env });
    assert.doesNotMatch(stderr, /[Ww]arning/);
    return stdout;
  };
  const replicas = async (): Promise<unknown> =>
    (await kubectl.json(['get', 'deployment', 'shop', '-n', 'market'])).spec.replicas;
  const EVERYTHING = ['--set', 'ingress.enabled=true', '--set', 'autoscaling.enabled=false'];

  it('installs, upgrades, rolls back and removes the chart that it creates', async () => {
    const market = ['--namespace', 'market'];
    const installed = await helm([
      ...['install', 'shop', './shop', ...market, '--create-namespace', ...EVERYTHING],
    ]);
    assert.match(installed, /STATUS: deployed/);
    assert.equal(await replicas(), 1);
    const names = ['deployment', 'service', 'serviceaccount', 'ingress'].map(
      (kind) => `${kind}/shop`,
    );
    await kubectl.ok(['get', ...market, ...names]);

    await helm(['upgrade', 'shop', './shop', ...market, ...EVERYTHING, '--set', 'replicaCount=3']);
    assert.equal(await replicas(), 3);
    const history = JSON.parse(await helm(['history', 'shop', ...market, '-o', 'json'])) as {
      status: string;
    }[];
    assert.deepEqual(
      history.map(({ status }) => status),
      ['superseded', 'deployed'],
    );
    await helm(['rollback', 'shop', '1', ...market]);
    assert.equal(await replicas(), 1);
    assert.match(await helm(['list', '--all-namespaces']), /shop\s+market\s+3\s/);
    assert.match(await helm(['get', 'manifest', 'shop', ...market]), /kind: Deployment/);

    await helm(['uninstall', 'shop', ...market]);
    for (const name of names) {
      assert.match(await kubectl.refused(['get', ...market, name]), /NotFound/);
    }
  });

  it('says what would change, and changes nothing', async () => {
    const dry = await helm(['install', 'dry', './shop', '--dry-run=server']);
    assert.match(dry, /kind: Deployment/);
    assert.match(await kubectl.refused(['get', 'deployment/dry-shop']), /NotFound/);
    assert.doesNotMatch(await helm(['list', '--all-namespaces']), /dry/);
  });
});
