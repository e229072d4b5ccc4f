import assert from 'node:assert/strict';
import { CRDS, install, shownAs } from '../support/custom.ts';
import { administer } from '../support/etcd-admin.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

/** A list in a list, so many times, each of which has ten items unless it is given. */
function nested(levels: number): object {
  const items = levels === 1 ? { type: 'object' } : nested(levels - 1);
  const l = { type: 'array', items, default: Array.from({ length: 10 }, () => ({})) };
  return { type: 'object', properties: { l } };
}

const DEFINITION = `${CRDS}/bombs.test.example.com`;
const schemaOf = (spec: object): object => ({ type: 'object', properties: { spec } });

/*
 * A definition like this is refused; one that was stored before there was a bound
 * is there nevertheless. Its objects are small, until defaults are added.
 */
describe('a stored definition whose defaults multiply without end', () => {
  let etcd: TestEtcd;
  let plinth: Plinth;
  let path: string;
  before(async () => {
    etcd = await TestEtcd.start();
    plinth = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
    const open = { type: 'object', properties: { l: { type: 'array', items: nested(1) } } };
    path = await install(plinth, { plural: 'bombs', kind: 'Bomb', schema: schemaOf(open) });
    for (const name of ['a', 'b', 'held']) {
      const metadata = { name, ...(name === 'held' ? { finalizers: ['example.com/hold'] } : {}) };
      const body = { apiVersion: 'test.example.com/v1', kind: 'Bomb', metadata, spec: {} };
      assert.equal((await plinth.send('POST', path, body)).status, 201);
    }
    await administer(etcd, async (client) => {
      const all = await client.getAll().prefix('/registry/').strings();
      const [key, text] = Object.entries(all).find(([name]) =>
        name.endsWith('/customresourcedefinitions/bombs.test.example.com'),
      )!;
      const stored = JSON.parse(text);
      stored.metadata.generation++;
      stored.spec.versions[0].schema.openAPIV3Schema = schemaOf(nested(9));
      await client.put(key).value(JSON.stringify(stored));
    });
    await eventually(async () => (await plinth.get(`${path}/a`)).status === 500, 'it counts');
  });
  after(async () => {
    await plinth.dispose();
    await etcd.dispose();
  });

  const names = ({ json }: Reply): string[] => json.items.map((item: any) => item.metadata.name);

  async function checkReads(all: string[]): Promise<void> {
    const refused = await plinth.get(`${path}/${all[0]}`);
    assert.equal(refused.status, 500, refused.text.slice(0, 300));
    assert.equal(refused.json.reason, 'StorageReadError');
    assert.match(refused.json.details.causes[0].field, /^spec\.l\[0\]\.l/);
    const list = await plinth.get(path);
    assert.deepEqual(names(list), all);
    assert.ok(list.text.length < 10_000, 'no defaults are shown');
    assert.deepEqual(names(await plinth.get(path, shownAs('PartialObjectMetadataList'))), all);
    const seen: any[] = [];
    const watch = await plinth.watch(`${path}?watch=1`, (frame) => seen.push(frame));
    await eventually(() => seen.length >= all.length, 'all objects on a watch');
    watch.close();
  }

  it('harms its objects only: get, list, metadata and watch are answered, also after a start', async () => {
    await checkReads(['a', 'b', 'held']);
    await plinth.stop();
    await plinth.start();
    await eventually(async () => (await plinth.get(path)).status === 200, 'the resource');
    await checkReads(['a', 'b', 'held']);
  });

  it('refuses new objects, also as a dry run', async () => {
    const body = {
      ...{ apiVersion: 'test.example.com/v1', kind: 'Bomb' },
      ...{ metadata: { name: 'new' }, spec: {} },
    };
    for (const query of ['?dryRun=All', '']) {
      const { status, text } = await plinth.send('POST', `${path}${query}`, body);
      assert.equal(status, 422, text.slice(0, 300));
    }
  });

  it('lets its objects be deleted, with its reads or without, and goes itself after a start', async () => {
    const dry = await plinth.send('DELETE', `${path}/a?dryRun=All`);
    assert.equal(dry.status, 200, dry.text.slice(0, 300));
    const insisting = `${path}/a?ignoreStoreReadErrorWithClusterBreakingPotential=true`;
    const insisted = await plinth.send('DELETE', insisting);
    assert.equal(insisted.status, 200, insisted.text.slice(0, 300));
    assert.equal((await plinth.get(`${path}/a`)).status, 404);
    assert.equal((await plinth.send('DELETE', DEFINITION)).status, 200);
    await eventually(async () => (await plinth.get(`${path}/b`)).status === 404, 'b is gone');
    await plinth.stop();
    await plinth.start();
    await eventually(async () => (await plinth.get(path)).status === 200, 'the resource');
    assert.deepEqual(names(await plinth.get(path)), ['held']);
    const freed = await plinth.send(
      'PATCH',
      `${path}/held`,
      { metadata: { finalizers: null }, spec: { l: [] } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(freed.status, 200, freed.text.slice(0, 300));
    await eventually(async () => (await plinth.get(DEFINITION)).status === 404, 'it goes');
  });
});
