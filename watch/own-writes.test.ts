import assert from 'node:assert/strict';
import type { ApiObject } from '../api/object.ts';
import { NO_REVISION, revisionOf } from '../api/revision.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Collection } from './collection.ts';
import { EntryMemory } from './entry-memory.ts';
import type { OwnWrite } from './own-writes.ts';

const AT = revisionOf(7n);

describe('a write of this server', () => {
  let collection: Collection;
  let object: ApiObject;
  let stored: Buffer;
  let write: OwnWrite;

  beforeEach(() => {
    collection = new Collection('things.example.com/things/', NO_REVISION, new EntryMemory());
    object = {
      apiVersion: 'things.example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', labels: { tier: 'gold' } },
    };
    stored = encodeStored(object);
    write = collection.ownWrite('a', stored, object);
  });

  /** The log tells of it, in bytes of its own as every store does. */
  function seen(value = stored, revision = AT): void {
    collection.put('a', Buffer.from(value), revision, 0);
  }

  it('is one entry for its writer and the replica when the log tells of it first', async () => {
    seen();
    await write.answered(Promise.resolve({ outcome: 'ok' }));
    assert.equal(write.entry(AT), collection.items.get('a'));
  });

  it('is one entry for both when the store answers first', async () => {
    await write.answered(Promise.resolve({ outcome: 'ok' }));
    const entry = write.entry(AT);
    seen();
    assert.equal(collection.items.get('a'), entry);
    assert.match(entry.bytes.toString(), /"metadata":\{"resourceVersion":"7",/);
    assert.deepEqual(entry.labels, { tier: 'gold' });
  });

  it('keeps its labels when its object is changed later', () => {
    (object.metadata.labels as Record<string, string>).tier = 'lead';
    assert.deepEqual(write.entry(AT).labels, { tier: 'gold' });
  });

  it('is not taken for what another server has written at the same time', () => {
    const other = { ...object, metadata: { name: 'a', labels: { tier: 'tin' } } };
    seen(encodeStored(other));
    assert.deepEqual(collection.items.get('a')?.labels, { tier: 'tin' });
    seen(stored, revisionOf(8n));
    assert.notEqual(write.entry(AT), collection.items.get('a'));
    assert.equal(write.entry(AT).revision, AT);
  });

  it('is forgotten when the store refuses it or fails', async () => {
    await write.answered(Promise.resolve({ outcome: 'conflict' }));
    seen();
    assert.notEqual(collection.items.get('a'), write.entry(AT));
    const failing = collection.ownWrite('a', stored, object);
    await assert.rejects(failing.answered(Promise.reject(new Error('no store'))), /no store/);
    seen(stored, revisionOf(8n));
    assert.notEqual(collection.items.get('a'), failing.entry(revisionOf(8n)));
  });
});
