import assert from 'node:assert/strict';
import { apiObjectOf, type ApiObject } from '../api/object.ts';
import { revisionOf } from '../api/revision.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import { ConvertedForms } from './converted-forms.ts';
import { KeptForms } from './kept-forms.ts';
import type { ServedResource } from './served-resource.ts';

describe('forms that a webhook makes', () => {
  const resource = { version: {} } as ServedResource;
  const GROWTH = 10_000;
  const MOST = 10 * GROWTH;

  /** Objects grow by GROWTH; `asked` tells how many were asked for together. */
  function setUp() {
    const asked: number[] = [];
    const kept = new KeptForms(MOST);
    const forms = new ConvertedForms((_resource, entries) => {
      asked.push(entries.length);
      const grown = entries.map((entry): ApiObject => {
        const object = entry.object();
        return { ...object, spec: { grown: 'x'.repeat(GROWTH - ',"spec":{"grown":""}'.length) } };
      });
      return Promise.resolve(grown);
    }, kept);
    return { asked, kept, forms };
  }
  const stored = (name: string, more = {}): Entry => {
    const object = { apiVersion: 'a/v1', kind: 'A', metadata: { name }, ...more };
    return Entry.fromStored(name, encodeStored(apiObjectOf(object)), revisionOf(1n));
  };
  const many = (count: number): Entry[] => Array.from({ length: count }, (_, i) => stored(`n${i}`));

  it('take no more memory beyond the stored objects than they may, however many are asked for', async () => {
    const { forms, kept } = setUp();
    const entries = many(40);
    await forms.prepare(resource, entries);
    assert.ok(kept.growth <= MOST, String(kept.growth));
    const ready = entries.filter((entry) => forms.ready(resource, entry) !== undefined);
    assert.equal(ready.length, MOST / GROWTH);
    assert.deepEqual(ready, entries.slice(-ready.length), 'the newest are kept');
  });

  it('are made again when they were forgotten, many at a time, and the others stay', async () => {
    const { forms, asked } = setUp();
    const entries = many(10);
    await forms.prepare(resource, entries);
    // used, so that others are forgotten
    assert.equal(forms.prepare(resource, entries.slice(0, 5)), undefined);
    await forms.prepare(resource, [stored('a'), stored('b')]);
    const missing = entries.filter((entry) => forms.ready(resource, entry) === undefined);
    assert.deepEqual(missing, entries.slice(5, 7));
    asked.length = 0;
    await forms.prepare(resource, missing);
    assert.deepEqual(asked, [2]);
    const form = await forms.get(resource, entries[5]!);
    assert.equal(form.bytes.length, entries[5]!.bytes.length + GROWTH);
  });

  it('are kept in any number while they are about as large as what is stored', async () => {
    const kept = new KeptForms(0);
    const forms = new ConvertedForms(
      (_resource, entries) => Promise.resolve(entries.map((entry) => entry.object())),
      kept,
    );
    const entries = many(100);
    await forms.prepare(resource, entries);
    assert.ok(entries.every((entry) => forms.ready(resource, entry) !== undefined));
    assert.equal(kept.growth, 0);
  });

  it('are asked for in groups of bounded number and size', async () => {
    const { forms, asked } = setUp();
    await forms.prepare(resource, many(250));
    assert.deepEqual(asked, [100, 100, 50]);
    asked.length = 0;
    const large = Array.from({ length: 5 }, (_, i) =>
      stored(`l${i}`, { data: 'x'.repeat(100_000) }),
    );
    await forms.prepare(resource, large);
    assert.deepEqual(asked, [2, 2, 1]);
  });

  it('are never forgotten while the one who asked still needs the last of them', async () => {
    const kept = new KeptForms(1);
    const forms = new ConvertedForms(
      (_resource, entries) =>
        Promise.resolve(
          entries.map((entry) => ({ ...entry.object(), spec: 'x'.repeat(GROWTH) })) as ApiObject[],
        ),
      kept,
    );
    const entry = stored('a');
    await forms.prepare(resource, [entry]);
    assert.equal(forms.prepare(resource, [entry]), undefined);
  });
});
