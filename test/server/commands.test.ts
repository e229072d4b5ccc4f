import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer } from '../support/etcd-admin.ts';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';

const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

function plinth(...args: string[]): { code: number | null; out: string; err: string } {
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const result = spawnSync(process.execPath, ['dist/server/main.js', ...args], options);
  return { code: result.status, out: result.stdout, err: result.stderr };
}

async function addLease(server: Plinth, name: string): Promise<bigint> {
  const { status, json } = await server.send('POST', LEASES, {
    apiVersion: 'coordination.cluster.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { holderIdentity: name },
  });
  assert.equal(status, 201);
  return BigInt(json.metadata.resourceVersion);
}

async function leasesOf(server: Plinth): Promise<string[]> {
  const { status, json } = await server.get(LEASES);
  assert.equal(status, 200);
  return json.items.map((lease: any) => lease.metadata.name);
}

describe("an operator's commands", () => {
  const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  const copy = join(scratch, 'copy.mdb');
  let server: Plinth;
  let beforeBackup = 0n;
  let afterBackup = 0n;
  before(async () => {
    server = await Plinth.start();
    beforeBackup = await addLease(server, 'kept');
  });
  after(async () => {
    await server.dispose();
    rmSync(scratch, { recursive: true });
  });

  it('the health check of the image tells whether a server is ready', () => {
    const probe = (url: string): { code: number | null; err: string } => {
      const args = ['dist/server/probe.js', url];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      return { code: status, err: stderr };
    };
    assert.equal(probe(server.url).code, 0);
    const { code, err } = probe('https://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(err, /^https:\/\/127\.0\.0\.1:1 is not ready: .+\n$/);
    assert.match(
      readFileSync('Dockerfile', 'utf8'),
      /CMD \["node", "\/app\/dist\/server\/probe\.js"\]/,
    );
  });

  it('help names every command, and a word that is not one is answered with their names', () => {
    const { out } = plinth('--help');
    const wrong = plinth('frobnicate');
    assert.equal(wrong.code, 2);
    for (const name of ['backup', 'restore', 'migrate', 'advance', 'certificates', 'health']) {
      assert.match(out, new RegExp(`^  ${name} +\\w`, 'm'));
      assert.match(wrong.err, new RegExp(`^plinth: unknown command "frobnicate": .*\\b${name}\\b`));
    }
  });

  it('help as a word shows the same as the flag, for the program and for a command', () => {
    for (const command of [[], ['backup']]) {
      const byWord = plinth('help', ...command);
      assert.deepEqual(byWord, plinth(...command, '--help'));
      assert.equal(byWord.code, 0);
    }
    assert.match(plinth('help', 'frobnicate').err, /^plinth: unknown command "frobnicate"/);
  });

  it('prints its version, as a command and as a flag', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const word of ['version', '--version']) {
      const { code, out } = plinth(word);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^plinth ${version} \\(API v[^)]+\\)\\n$`));
    }
  });

  it('help and wrong options are clear', () => {
    const help = plinth('backup', '--help');
    assert.equal(help.code, 0);
    assert.match(help.out, /--to <file>/);
    for (const args of [['backup'], ['backup', '--nonsense'], ['restore'], ['migrate'], ['x']]) {
      const { code, err } = plinth(...args);
      assert.notEqual(code, 0, args.join());
      assert.match(err, /^plinth: .+\n$/, args.join());
    }
  });

  it('health tells whether a server is ready', () => {
    assert.equal(plinth('health', '--server', server.url).code, 0);
    const { code, err } = plinth('health', '--server', 'https://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(err, /is not ready/);
  });

  it('backup copies the store of a running server', async () => {
    const { code, out, err } = plinth('backup', '--data-dir', server.dataDir, '--to', copy);
    assert.equal(code, 0, err);
    assert.match(out, /Copied revision \d+/);
    assert.ok(statSync(copy).size > 0);
    afterBackup = await addLease(server, 'too-late');
    assert.ok(afterBackup > beforeBackup);
  });

  it('restore brings the copy back, above every revision that clients have seen', async () => {
    await server.stop('SIGKILL');
    const dataDir = join(scratch, 'restored');
    const { code, err } = plinth('restore', '--from', copy, '--data-dir', dataDir);
    assert.equal(code, 0, err);
    const restored = await Plinth.start({ dataDir });
    try {
      assert.deepEqual(await leasesOf(restored), ['kept']);
      // Clients that have seen what is lost must not go on as if nothing had been.
      for (const seen of [beforeBackup, afterBackup]) {
        const { status, text } = await restored.get(
          `${LEASES}?watch=1&timeoutSeconds=2&resourceVersion=${seen}`,
        );
        assert.ok(status === 410 || text.includes('"code":410'), `${status} ${text}`);
      }
      assert.ok((await addLease(restored, 'new')) > afterBackup + 1_000_000n);
    } finally {
      await restored.stop();
    }
    const again = plinth('restore', '--from', copy, '--data-dir', dataDir);
    assert.equal(again.code, 1, 'never over what is there');
    assert.match(again.err, /already contains a store/);
  });

  it('restore refuses an incomplete copy, and leaves nothing behind', () => {
    const broken = join(scratch, 'broken.mdb');
    const target = join(scratch, 'none');
    for (const spoil of [
      () => writeFileSync(broken, 'nothing of the kind'),
      () => {
        assert.equal(plinth('backup', '--data-dir', server.dataDir, '--to', broken).code, 0);
        truncateSync(broken, 8_192);
      },
    ]) {
      spoil();
      const { code, err } = plinth('restore', '--from', broken, '--data-dir', target);
      assert.equal(code, 1);
      assert.match(err, /^plinth: .+\n$/);
      assert.throws(() => statSync(join(target, 'store', 'store.mdb')));
    }
  });

  describe('migrate', () => {
    let etcd: TestEtcd;
    let dataDir: string;
    let last = 0n;
    before(async () => {
      etcd = await TestEtcd.start();
      dataDir = join(scratch, 'restored-for-migration');
      await server.stop('SIGKILL');
      await server.start();
      const event = await server.send('POST', EVENTS, {
        apiVersion: 'events.cluster.io/v1',
        kind: 'Event',
        metadata: { name: 'mortal' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        regarding: { namespace: 'default' },
        reportingController: 'test.example.org/test',
        reportingInstance: 'one',
        action: 'Test',
        reason: 'Test',
        type: 'Normal',
      });
      assert.equal(event.status, 201, event.text);
      last = await addLease(server, 'last');
    });
    after(() => etcd.dispose());

    it('does not run while a server uses the directory', () => {
      const { code, err } = plinth(
        ...['migrate', '--data-dir', server.dataDir, '--etcd-servers', etcd.url],
      );
      assert.equal(code, 1);
      assert.match(err, /^plinth: .*(in use|another process).*\n$/);
    });

    it('copies everything to etcd, above every revision that clients have seen', async () => {
      await server.stop();
      const args = ['migrate', '--data-dir', server.dataDir, '--etcd-servers', etcd.url];
      const { code, out, err } = plinth(...args);
      assert.equal(code, 0, err);
      assert.match(out, /Copied \d+ objects/);
      const moved = await Plinth.start({ dataDir, args: ['--etcd-servers', etcd.url] });
      try {
        assert.deepEqual(await leasesOf(moved), ['kept', 'last', 'too-late']);
        const { json } = await moved.get(`${LEASES}/kept`);
        assert.ok(BigInt(json.metadata.resourceVersion) > last);
        const { text } = await moved.get(
          `${LEASES}?watch=1&timeoutSeconds=2&resourceVersion=${last}`,
        );
        assert.match(text, /"code":410/);
        const event = await moved.get(`${EVENTS}/mortal`);
        assert.equal(event.status, 200);
        const mortal = /\/events\/default\/mortal$/;
        const dying = await keysWithLease(etcd);
        assert.equal(dying.filter((key) => mortal.test(key)).length, 1, 'the event still dies');
        assert.deepEqual(
          dying.filter((key) => key.endsWith('/kept')),
          [],
        );
      } finally {
        await moved.stop();
      }
      const again = plinth(...args);
      assert.equal(again.code, 1, 'never over what is there');
      assert.match(again.err, /is not empty/);
    });
  });
});

describe('plinth advance', function () {
  let etcd: TestEtcd;
  before(async () => {
    etcd = await TestEtcd.start();
  });
  after(() => etcd.dispose());

  it('takes etcd above every revision that clients have seen, and keeps what is there', async () => {
    const args = ['--etcd-servers', etcd.url];
    const server = await Plinth.start({ args });
    try {
      const seen = await addLease(server, 'kept');
      await server.stop();
      // As one leaves it that was killed.
      await administer(etcd, async (client) => {
        await client.put('/registry/~migration/3').value('x');
      });
      const { code, out, err } = plinth('advance', ...args, '--by', '21000');
      assert.equal(code, 0, err);
      assert.match(out, /^etcd stands at revision \d+; its history begins there\.\n$/);
      await server.start();
      assert.deepEqual(await leasesOf(server), ['kept']);
      // Revisions that others may have seen before the snapshot was restored.
      for (const revision of [seen, seen + 1_000n, seen + 20_000n]) {
        const path = `${LEASES}?watch=1&timeoutSeconds=2&resourceVersion=${revision}`;
        const { status, text } = await server.get(path);
        assert.ok(status === 410 || text.includes('"code":410'), `${revision}: ${status} ${text}`);
      }
      assert.ok((await addLease(server, 'new')) > seen + 21_000n);
      const keys = await administer(etcd, (client) =>
        client.getAll().prefix('/registry/~migration/').keys(),
      );
      assert.deepEqual(keys, [], 'nothing is left of what raised the revisions');
    } finally {
      await server.dispose();
    }
  });

  it('requires a number and an etcd', () => {
    for (const args of [
      ['--etcd-servers', etcd.url, '--by', 'many'],
      ['--etcd-servers', etcd.url, '--by', '0'],
      ['--by', '10'],
    ]) {
      const { code, err } = plinth('advance', ...args);
      assert.notEqual(code, 0);
      assert.match(err, /^plinth: .+\n$/);
    }
  });
});

/** Keys that die when their time has come. */
async function keysWithLease(etcd: TestEtcd): Promise<string[]> {
  const { kvs } = await administer(etcd, (client) => client.getAll().prefix('/registry/').exec());
  return kvs.filter(({ lease }) => lease !== '0').map(({ key }) => key.toString());
}
