import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';

const CHART = 'examples/builtin-groups/chart/rendered.yaml';

describe('the Python client of Debian (python3-kubernetes)', function () {
  this.timeout(300_000);
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
    kubectl = new Kubectl(plinth.kubeconfig);
    await kubectl.ok(['apply', '-f', 'examples/builtin-groups/']);
    await kubectl.definitionsAre('Established', '--all');
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  it('writes, watches, applies, elects a leader, and installs a chart', async () => {
    const program = join(import.meta.dirname, 'client.py');
    const { stdout } = await promisify(execFile)('/usr/bin/python3', [
      ...[program, plinth.kubeconfig, CHART],
    ]);
    const lines = stdout
      .split('\n')
      .filter((line) => /^(?:typed|conflict|chart|informer|apply|leader )/.test(line));
    assert.deepEqual(lines, [
      "typed [('typed', {'a': '1', 'b': '2'})]",
      'conflict 409',
      'chart 3 shop shop.example.com',
      "informer ['ADDED', 'MODIFIED', 'DELETED']",
      'apply conflict 409',
      'apply 3',
      'leader True False',
    ]);
  });
});
