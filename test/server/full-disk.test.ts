import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '../../access/pki/certificates.ts';
import { PairFiles } from '../../access/pki/generated-files.ts';
import { Plinth } from '../support/plinth.ts';
import { SmallDisk } from '../support/small-disk.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** More than the store keeps free for deletes, and some objects. */
const DISK_MB = 40;
const OBJECTS = 20;
const YEARS_LATER = Date.now() + 30 * 365 * 24 * 3600 * 1000;

describe('a server on the embedded store whose disk is full', function () {
  let dir: string;
  let disk: SmallDisk;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'plinth-disk-'));
    disk = await SmallDisk.mount(join(dir, 'disk'), DISK_MB);
  });
  afterEach(async () => {
    await disk.remove();
    rmSync(dir, { recursive: true });
  });

  const create = (plinth: Plinth, name: string) =>
    plinth.send('POST', LEASES, { metadata: { name, annotations: { a: 'x'.repeat(100_000) } } });
  const leftovers = (path: string) => readdirSync(path).filter((name) => name.endsWith('.tmp'));

  it('starts after a crash on a full disk, reads and deletes, and writes when space is free', async () => {
    const dataDir = join(disk.path, 'data');
    const plinth = await Plinth.start({ dataDir });
    try {
      for (let i = 0; i < OBJECTS; i++) assert.equal((await create(plinth, `o${i}`)).status, 201);
      await plinth.stop('SIGKILL');
      disk.fill();
      assert.equal(disk.freeBytes, 0);
      await plinth.start();
      assert.deepEqual(leftovers(join(dataDir, 'pki')), []);
      assert.equal((await plinth.get('/readyz')).status, 200);
      assert.equal((await plinth.get(`${LEASES}/o0`)).status, 200);
      assert.equal((await plinth.send('DELETE', `${LEASES}/o0`)).status, 200);
      assert.equal((await plinth.get(LEASES)).json.items.length, OBJECTS - 1);
      assert.equal((await create(plinth, 'refused')).status, 507);
      assert.equal(await plinth.stop(), 0);
      await plinth.start();
      disk.makeRoom();
      assert.equal((await create(plinth, 'again')).status, 201);
    } finally {
      await plinth.dispose();
    }
  });

  it('says in one line that a new store has no room, and leaves nothing in its way', async () => {
    disk.fill();
    const dataDir = join(disk.path, 'data');
    await assert.rejects(
      Plinth.start({ dataDir }),
      /ended with 1: plinth: the data directory .* cannot be used: ENOSPC\n$/,
    );
    disk.makeRoom();
    const plinth = await Plinth.start({ dataDir });
    await plinth.dispose();
  });

  it('renews a certificate in memory', async () => {
    const told: string[] = [];
    const files = new PairFiles(join(disk.path, 'pki'), undefined, (message) => told.push(message));
    const make = (now: number) => () => makeAuthority('test-ca', now);
    const old = await files.ensure('ca', Date.now(), make(Date.now()));
    disk.fill();
    const renewed = await files.ensure('ca', YEARS_LATER, make(YEARS_LATER));
    assert.notEqual(renewed.certificate, old.certificate);
    assert.match(told.join(), /^\S+ca\.key cannot be written; what is new is used from memory$/);
    assert.deepEqual(leftovers(join(disk.path, 'pki')), []);
    assert.deepEqual(await files.ensure('ca', Date.now(), make(Date.now())), old);
    await assert.rejects(files.ensure('other', Date.now(), make(Date.now())), /ENOSPC/);
  });
});
