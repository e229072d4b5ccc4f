import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './etcd-cluster.ts';

/** Its second member ends once the first one runs, which never answers. */
const BROKEN = `#!/bin/sh
case "$*" in
  *--name=m1*) until [ -s "$0.m0" ]; do sleep 0.05; done; echo 'it is broken'; exit 1 ;;
  *--name=m0*) echo $$ > "$0.m0"; exec sleep 1000 ;;
esac`;

describe('a cluster of etcd for tests', () => {
  it('that fails to start leaves no process and no data of its members', async () => {
    const binary = join(mkdtempSync(join(tmpdir(), 'plinth-broken-')), 'etcd');
    writeFileSync(binary, BROKEN);
    chmodSync(binary, 0o755);
    await assert.rejects(startCluster(2, { binary }), /etcd ended at start:\nit is broken/);
    const pid = readFileSync(`${binary}.m0`, 'utf8').trim();
    assert.ok(!existsSync(`/proc/${pid}`), 'its first member still runs');
  });
});
