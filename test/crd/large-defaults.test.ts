import assert from 'node:assert/strict';
import { crd, CRDS, install, MERGE, patched, shownAs } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const TEXT = 'x'.repeat(100_000);

const listOf = (properties: object): object => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties } },
        size: { type: 'integer' },
      },
    },
  },
});

/** A list in a list, nine times, each of which has ten items unless it is given. */
function nested(levels: number): object {
  const items = levels === 1 ? { type: 'object' } : nested(levels - 1);
  const l = { type: 'array', items, default: Array.from({ length: 10 }, () => ({})) };
  return { type: 'object', properties: { l } };
}

const empty = (count: number): object => ({ list: Array.from({ length: count }, () => ({})) });

describe('defaults that add too much', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  const create = (path: string, kind: string, name: string, spec: object): Promise<Reply> =>
    plinth.send('POST', path, {
      apiVersion: 'test.example.com/v1',
      kind,
      metadata: { name },
      spec,
    });

  it('a definition whose defaults multiply is refused, with the path of the default', async () => {
    const schema = { type: 'object', properties: { spec: nested(9) } };
    for (const query of ['?dryRun=All', '']) {
      const body = crd({ plural: 'bombs', kind: 'Bomb', schema });
      const refused = await plinth.send('POST', `${CRDS}${query}`, body);
      assert.equal(refused.status, 422, refused.text);
      const [cause] = refused.json.details.causes;
      assert.match(
        cause.field,
        /^spec\.validation\.openAPIV3Schema\.properties\[spec\].*\.default$/,
      );
      assert.match(cause.message, /must not add up to more than/);
    }
  });

  it('an object that would become too large by defaults is refused, with the path of the field', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`f${i}`, { type: 'integer', default: i }]),
    );
    const path = await install(plinth, {
      plural: 'news',
      kind: 'New',
      schema: listOf({ text: { type: 'string', default: TEXT } }),
    });
    const many = await install(plinth, { plural: 'manies', kind: 'Many', schema: listOf(fields) });
    for (const query of ['?dryRun=All', '']) {
      const large = await create(`${path}${query}`, 'New', 'a', empty(50));
      assert.equal(large.status, 422, large.text.slice(0, 500));
      assert.match(large.json.details.causes[0].field, /^spec\.list\[\d+\]\.text$/);
      const wide = await create(`${many}${query}`, 'Many', 'a', empty(1_000));
      assert.equal(wide.status, 422, wide.text.slice(0, 500));
      assert.match(wide.json.details.causes[0].field, /^spec\.list\[\d+\]\.f\d+$/);
    }
    assert.equal((await create(path, 'New', 'fits', empty(3))).status, 201);
  });

  it('an object whose definition gets large defaults later affects no other object, also at a start', async () => {
    const definition = { plural: 'olds', kind: 'Old', schema: listOf({}) };
    const path = await install(plinth, definition);
    for (const name of ['large', 'other', 'mended']) {
      assert.equal((await create(path, 'Old', name, empty(50))).status, 201);
    }
    assert.equal((await create(path, 'Old', 'small', empty(1))).status, 201);
    const held = { metadata: { finalizers: ['test.example.com/hold'] } };
    assert.equal((await patched(plinth, `${path}/other`, MERGE, held)).status, 200);

    const name = `${CRDS}/olds.test.example.com`;
    const { json } = await plinth.get(name);
    json.spec.versions[0].schema.openAPIV3Schema = listOf({
      text: { type: 'string', default: TEXT },
    });
    assert.equal((await plinth.send('PUT', name, json)).status, 200);
    await eventually(
      async () => (await plinth.get(`${path}/small`)).json.spec.list[0].text === TEXT,
      'the default counts',
    );
    await checkReads(path);
    await plinth.stop();
    await plinth.start();
    await eventually(async () => (await plinth.get(path)).status === 200, 'the resource');
    await checkReads(path);

    const wanting = await patched(plinth, `${path}/mended`, MERGE, { spec: { size: 1 } });
    assert.equal(wanting.status, 422, wanting.text.slice(0, 500));
    const mended = await patched(plinth, `${path}/mended`, MERGE, { spec: empty(1) });
    assert.equal(mended.status, 200, mended.text.slice(0, 500));
    assert.equal(mended.json.spec.list[0].text, TEXT);
    assert.equal((await plinth.send('DELETE', `${path}/large`)).status, 200);
    assert.equal((await plinth.get(`${path}/large`)).status, 404);

    assert.equal((await plinth.send('DELETE', name)).status, 200);
    await eventually(async () => {
      const other = await plinth.get(`${path}/other`, shownAs('PartialObjectMetadata'));
      return other.json.metadata.deletionTimestamp !== undefined;
    }, 'the object is marked by the background loop');
    await plinth.stop();
    await plinth.start();
    await eventually(async () => (await plinth.get(path)).status === 200, 'the resource');
    const freed = { metadata: { finalizers: null }, spec: { list: null } };
    assert.equal((await patched(plinth, `${path}/other`, MERGE, freed)).status, 200);
    await eventually(async () => (await plinth.get(name)).status === 404, 'the definition goes');
  });

  async function checkReads(path: string): Promise<void> {
    const refused = await plinth.get(`${path}/large`);
    assert.equal(refused.status, 500, refused.text.slice(0, 500));
    assert.equal(refused.json.reason, 'StorageReadError');
    assert.match(refused.json.message, /"\S*olds\S*large" cannot be shown with the defaults/);
    assert.match(refused.json.details.causes[0].field, /^spec\.list\[\d+\]\.text$/);
    const partial = await plinth.get(`${path}/large`, shownAs('PartialObjectMetadata'));
    assert.equal(partial.json.metadata.name, 'large');
    const names = ({ json }: Reply): string[] => json.items.map((item: any) => item.metadata.name);
    const all = ['large', 'mended', 'other', 'small'];
    const list = await plinth.get(`${path}?limit=1`);
    assert.deepEqual(names(list), ['large']);
    assert.match(String(list.headers['warning']), /large.* cannot be shown with the defaults/);
    assert.deepEqual(list.json.items[0].spec.list[0], {});
    assert.deepEqual(names(await plinth.get(path)), all);
    assert.deepEqual(names(await plinth.get(path, shownAs('PartialObjectMetadataList'))), all);
    const seen: any[] = [];
    const watch = await plinth.watch(`${path}?watch=1`, (frame) => seen.push(frame));
    await eventually(() => seen.length >= all.length, 'all objects on a watch');
    watch.close();
    assert.deepEqual(
      seen.map(({ type }) => type),
      all.map(() => 'ADDED'),
    );
  }
});
