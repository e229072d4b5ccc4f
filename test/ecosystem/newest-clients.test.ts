import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';
import { installed, newestNode } from './packages.ts';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;

describe('the newest JavaScript clients', function () {
  this.timeout(600_000);
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
    const kubectl = new Kubectl(plinth.kubeconfig);
    await kubectl.ok(['apply', '-f', 'examples/builtin-groups/']);
    await kubectl.definitionsAre('Established', '--all');
    kubectl.dispose();
  });
  after(() => plinth.dispose());

  /** What a program prints that works with these packages. */
  const lines = async (program: string, packages: string): Promise<string[]> => {
    const path = join(import.meta.dirname, program);
    const args = [path, plinth.kubeconfig, await installed(packages)];
    const { stdout } = await run(await newestNode(), args, { timeout: PATIENCE_MS });
    return stdout.trim().split('\n');
  };

  it('@kubernetes/client-node 2', async () => {
    assert.deepEqual(await lines('client-node-2.mjs', '@kubernetes/client-node@2.0.1'), [
      'informer add one, update one, delete one',
      'apply 409 3',
      'lease me 409',
      'object rbac.authorization.k8s.io/v1 coordination.k8s.io',
    ]);
  });

  it('kubernetes-fluent-client', async () => {
    assert.deepEqual(await lines('fluent-client.mjs', 'kubernetes-fluent-client@3.11.5'), [
      'found [{"a":"1","b":"2"}]',
      'watch ADDED fluent, MODIFIED fluent, DELETED fluent',
      'deployment 200',
    ]);
  });
});
