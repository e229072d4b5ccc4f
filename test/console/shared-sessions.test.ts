import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { ask, cookieOf } from './browser-requests.ts';

const SESSION = '/console/session';
const ANN = 'token-of-ann-0123456789';
const OWN = { 'x-plinth-console': '1' };
const codeOf = ({ output }: Plinth): string => /#code=([\w-]{43})/.exec(output)![1]!;

/** Who the server says is signed in; each request has a connection of its own. */
async function userOf(server: Plinth, cookie: string): Promise<string | undefined> {
  const { status, json } = await ask(server, 'GET', SESSION, { ...OWN, cookie });
  assert.equal(status, 200);
  return json.user?.name;
}

async function signIn(server: Plinth): Promise<string> {
  const begun = await ask(server, 'POST', SESSION, OWN, { token: ANN });
  assert.equal(begun.status, 201);
  return cookieOf(begun);
}

/** How many of several sign-ins at once, in turn at the servers, are let in by one code. */
async function letInBy(code: string, servers: readonly Plinth[]): Promise<number> {
  const answers = await Promise.all(
    servers.map((server) => ask(server, 'POST', SESSION, OWN, { code })),
  );
  for (const { status } of answers) assert.ok(status === 201 || status === 401, `${status}`);
  return answers.filter(({ status }) => status === 201).length;
}

async function signOut(server: Plinth, cookie: string): Promise<void> {
  assert.equal((await ask(server, 'DELETE', SESSION, { ...OWN, cookie })).status, 200);
}

describe('sessions of the console on several servers', function () {
  let folder: string;
  let etcd: TestEtcd;
  let flags: string[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-console-'));
    writeFileSync(join(folder, 'tokens.csv'), `${ANN},ann,ann\n`);
    etcd = await TestEtcd.start();
    flags = ['--token-auth-file', join(folder, 'tokens.csv')];
  });
  after(async () => {
    await etcd.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('that share an etcd', () => {
    let first: Plinth;
    let second: Plinth;
    before(async () => {
      const args = [...flags, '--etcd-servers', etcd.url];
      first = await Plinth.start({ args });
      second = await Plinth.start({ args });
    });
    after(async () => {
      await first.dispose();
      await second.dispose();
    });

    it('count at once on all of them, and after a restart', async () => {
      const cookie = await signIn(first);
      assert.equal(await userOf(second, cookie), 'ann');
      await second.stop();
      await second.start();
      assert.equal(await userOf(second, cookie), 'ann');
    });

    it('end on all of them', async () => {
      const cookie = await signIn(first);
      assert.equal(await userOf(second, cookie), 'ann');
      await signOut(second, cookie);
      assert.equal(await userOf(second, cookie), undefined);
      await eventually(async () => (await userOf(first, cookie)) === undefined, 'the end');
    });

    it('begin once by a code that any of them has printed', async () => {
      assert.equal(await letInBy(codeOf(first), [second, first, second, first]), 1);
      assert.equal(await letInBy(codeOf(first), [first, second]), 0);
      assert.equal(await letInBy(codeOf(second), [first]), 1);
    });

    it('are shown while the store cannot be read, when no code can be used', async () => {
      const cookie = await signIn(first);
      assert.equal(await userOf(first, cookie), 'ann');
      etcd.freeze();
      try {
        const { status, json } = await ask(first, 'GET', SESSION, { ...OWN, cookie });
        assert.equal(status, 200);
        assert.deepEqual([json.user.name, json.methods.code], ['ann', false]);
      } finally {
        etcd.thaw();
      }
    });

    it('are not those of an altered cookie', async () => {
      const cookie = await signIn(first);
      for (const at of [cookie.length - 45, cookie.length - 2]) {
        const other = cookie[at] === 'A' ? 'B' : 'A';
        const altered = cookie.slice(0, at) + other + cookie.slice(at + 1);
        for (const server of [first, second]) {
          assert.equal(await userOf(server, altered), undefined, altered);
        }
      }
      assert.equal(await userOf(second, cookie), 'ann');
    });

    it('cannot be read by a request', async () => {
      await signIn(first);
      for (const path of ['/api/v1/console-session.', '/apis/console-session./v1/sessions']) {
        assert.equal((await first.get(path)).status, 404);
      }
    });
  });

  it('count in every process of --workers', async () => {
    const args = [...flags, '--etcd-servers', etcd.url, '--workers', '2'];
    const plinth = await Plinth.start({ args });
    try {
      const cookie = await signIn(plinth);
      // connections are handed to the processes in turn
      for (let i = 0; i < 8; i++) assert.equal(await userOf(plinth, cookie), 'ann');
      const eight = Array.from({ length: 8 }, () => plinth);
      assert.equal(await letInBy(codeOf(plinth), eight), 1);
      assert.equal(await letInBy(codeOf(plinth), eight), 0);
    } finally {
      await plinth.dispose();
    }
  });

  it('outlast a restart on the embedded store', async () => {
    const plinth = await Plinth.start({ args: flags });
    try {
      const cookie = await signIn(plinth);
      await plinth.stop();
      await plinth.start();
      assert.equal(await userOf(plinth, cookie), 'ann');
      await signOut(plinth, cookie);
      assert.equal(await userOf(plinth, cookie), undefined);
    } finally {
      await plinth.dispose();
    }
  });
});
