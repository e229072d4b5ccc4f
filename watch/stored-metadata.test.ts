import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../api/json.ts';
import { apiObjectOf } from '../api/object.ts';
import { revisionOf } from '../api/revision.ts';
import { encodeStored, metadataOffset } from '../storage/stored-bytes.ts';
import { EntryMemory } from './entry-memory.ts';
import { Entry } from './entry.ts';
import { metadataShape } from '../storage/stored-metadata.ts';

const REVISION = revisionOf(5n);

function stored(metadata: JsonObject, rest: JsonObject = {}): Buffer {
  return encodeStored(apiObjectOf({ apiVersion: 'v1', kind: 'Thing', ...rest, metadata }));
}

const textOf = (value: Buffer): string | undefined =>
  metadataShape(value, metadataOffset(value))?.labels;

describe('labels and end of the metadata, read out of stored bytes', () => {
  it('are those of the metadata, and of nothing else in the object', () => {
    const template = { template: { metadata: { labels: { inner: 'x' }, name: 'inner' } } };
    const managedFields = [{ fieldsV1: { 'f:metadata': { 'f:labels': { 'f:app': {} } } } }];
    assert.equal(textOf(stored({ name: 'a' }, { spec: template })), '{}');
    assert.equal(textOf(stored({ name: 'a', managedFields }, { spec: template })), '{}');
    assert.equal(textOf(stored({ name: 'a', labels: { app: 'x' } })), '{"app":"x"}');
    assert.equal(textOf(stored({ name: 'a', labels: { name: 'x' } })), '{"name":"x"}');
    const annotations = { name: 'y', labels: '"labels":{"app":"z"}' };
    assert.equal(textOf(stored({ name: 'a', annotations })), '{}');
    const labels = { app: 'a "quoted" one' };
    assert.equal(textOf(stored({ name: 'a', labels })), undefined, 'has to be parsed');
  });

  const word = fc.oneof(
    fc.constantFrom(
      'name',
      'labels',
      'a.b/c',
      '',
      '"name":"',
      '"labels":{"a":"b"}',
      '}',
      '\\',
      'é',
    ),
    fc.string(),
  );
  const texts = fc.dictionary(word, word, { maxKeys: 3 });
  const object = fc.record({
    metadata: fc.record(
      {
        name: word,
        annotations: texts,
        labels: texts,
        finalizers: fc.array(word),
        generation: fc.nat(),
      },
      { requiredKeys: ['name'] },
    ),
    spec: fc.record({ labels: texts, name: word }, { requiredKeys: [] }),
  });

  it('are what parsing the object gives', () => {
    const memory = new EntryMemory();
    const check = ({ metadata, spec }: { metadata: JsonObject; spec: JsonObject }): void => {
      const value = stored(metadata, { spec });
      const { labels, bytes, metadataEnd } = Entry.fromChecked('a', value, REVISION, memory);
      const parsed = Entry.fromStored('a', value, REVISION);
      assert.equal(metadataEnd, parsed.metadataEnd);
      assert.deepEqual({ ...labels }, { ...parsed.labels });
      assert.ok(bytes.equals(parsed.bytes));
    };
    fc.assert(fc.property(object, check), { numRuns: 2_000 });
  });

  it('are not looked for in what this server did not write', () => {
    const memory = new EntryMemory();
    for (const value of ['', 'x', '[]', '{"metadata":{"name":"a"}}', '{"apiVersion":"v1"']) {
      const entry = Entry.fromChecked('a', Buffer.from(value), REVISION, memory);
      assert.equal(entry.corrupt, true, value);
    }
  });
});
