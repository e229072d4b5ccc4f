import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockOf, type } from '../docs/blocks.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const PAGE = 'docs/operations.md';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const QUOTA_BYTES = 8 * 1024 * 1024;
const hasEtcdutl = spawnSync('etcdutl', ['version']).status === 0;

/** An informer in short: what it holds, kept up to date by a watch, and listed again when history is compacted. */
class Informer {
  readonly #server: Plinth;
  readonly #stop = new AbortController();
  #names = new Set<string>();
  #revision = '';
  #close = (): void => undefined;
  lists = 0;

  constructor(server: Plinth) {
    this.#server = server;
  }

  get names(): string[] {
    return [...this.#names].sort();
  }
  get revision(): bigint {
    return BigInt(this.#revision);
  }

  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await (this.#revision === '' ? this.#list() : this.#watch()).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#close();
  }

  async #list(): Promise<void> {
    const { status, json } = await this.#server.get(LEASES);
    if (status !== 200) return;
    this.lists++;
    this.#names = new Set(json.items.map(({ metadata }: any) => metadata.name));
    this.#revision = json.metadata.resourceVersion;
  }

  async #watch(): Promise<void> {
    const path = `${LEASES}?watch=1&timeoutSeconds=5&resourceVersion=${this.#revision}`;
    const { close, ended } = await this.#server.watch(path, (frame) => {
      // An answer that is not a stream is a Status.
      const { type: what, object } =
        frame.kind === 'Status' ? { type: 'ERROR', object: frame } : frame;
      if (what === 'ERROR') {
        if (object.code === 410) this.#revision = '';
        return;
      }
      this.#revision = object.metadata.resourceVersion;
      if (what === 'DELETED') this.#names.delete(object.metadata.name);
      else this.#names.add(object.metadata.name);
    });
    this.#close = close;
    await ended;
  }
}

async function write(server: Plinth, name: string, bytes = 0): Promise<number> {
  const metadata = { name, annotations: { padding: 'x'.repeat(bytes) } };
  return (await server.send('POST', LEASES, { metadata })).status;
}

describe('what docs/operations.md says of etcd', function () {
  this.timeout(600_000);
  let scratch: string;
  let etcd: TestEtcd;
  let server: Plinth;

  const execute = (commands: string): Promise<string> =>
    type(commands, { cwd: scratch, env: { ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: etcd.url } });
  const follow = (heading: string): Promise<string> => execute(blockOf(PAGE, heading).commands);
  const start = async (quotaBytes?: number): Promise<void> => {
    etcd = await TestEtcd.start(quotaBytes === undefined ? {} : { quotaBytes });
    server = await Plinth.start({
      args: ['--etcd-servers', etcd.url, '--etcd-compaction-interval', '0'],
    });
  };
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  });
  afterEach(async () => {
    await server.dispose();
    await etcd.dispose();
    rmSync(scratch, { recursive: true });
  });

  /** A snapshot, a disaster, and what clients of before see afterwards. */
  async function drill(restore: () => Promise<void>): Promise<void> {
    await start();
    const informer = new Informer(server);
    const running = informer.run();
    try {
      assert.equal(await write(server, 'before'), 201);
      await follow('A snapshot of etcd');
      for (let i = 0; i < 20; i++) assert.equal(await write(server, `lost-${i}`), 201);
      await eventually(() => informer.names.length === 21, 'it has seen what is going to be lost');
      const seen = informer.revision;

      await server.stop();
      await etcd.kill();
      await restore();
      await server.start();

      const names = async (): Promise<string[]> =>
        (await server.get(LEASES)).json.items.map(({ metadata }: any) => metadata.name);
      assert.deepEqual(await names(), ['before'], 'what was written before is there');
      assert.equal(await write(server, 'after'), 201);
      await eventually(() => informer.names.join() === 'after,before', 'it knows what is true');
      assert.equal(informer.lists, 2, 'it has read everything again');
      assert.ok(informer.revision > seen, 'no revision comes again');
    } finally {
      informer.stop();
      await running;
    }
  }

  async function startRestored(): Promise<void> {
    rmSync(etcd.dataDirectory, { recursive: true });
    cpSync(join(scratch, 'restored'), etcd.dataDirectory, { recursive: true });
    await etcd.start();
  }

  it('a snapshot is restored with an older etcd, and clients that have seen more miss nothing', async () => {
    const heading = 'Restoring with an older etcd';
    const [restore = '', advance = ''] = blockOf(PAGE, heading).commands.split('\n');
    assert.match(advance, /^plinth advance /);
    await drill(async () => {
      await execute(restore);
      await startRestored();
      await execute(advance);
    });
  });

  const withEtcdutl = 'Restoring a snapshot of etcd';
  if (hasEtcdutl) {
    it('a snapshot is restored with etcdutl, and clients that have seen more miss nothing', async () => {
      await drill(async () => {
        await follow(withEtcdutl);
        await startRestored();
      });
    });
  } else {
    it('the flags of etcdutl are those that move revisions (it is not on PATH: restoring with it is NOT executed)', async () => {
      assert.match(blockOf(PAGE, withEtcdutl).commands, /--bump-revision \d{9,} --mark-compacted$/);
      await start();
    });
  }

  it('room is made in an etcd that is full, and the server goes on', async () => {
    await start(QUOTA_BYTES);
    let written = 0;
    while ((await write(server, `full-${written}`, 250_000)) === 201) written++;
    assert.ok(written > 5, `${written} were written`);
    for (let i = 0; i < written; i++) {
      assert.equal((await server.send('DELETE', `${LEASES}/full-${i}`)).status, 200);
    }
    assert.equal(await write(server, 'too-soon'), 507);
    await follow('Making room in etcd');
    assert.equal(await write(server, 'again', 250_000), 201);
  });
});
