import assert from 'node:assert/strict';
import type { Revision } from '../../api/revision.ts';
import { PageMemory } from './page-memory.ts';
import {
  copyValue,
  CREATED,
  decodeLogRecord,
  encodeLogRecord,
  encodePosition,
  UNREADABLE,
  valueOfRecord,
} from './record.ts';

const KEY = Buffer.from('group.io/things/default/a');
const VALUE = Buffer.from('{"kind":"Thing"}');
const POSITION = encodePosition({ revision: 7n as Revision, index: 2 });
const OTHER_POSITION = encodePosition({ revision: 7n as Revision, index: 3 });
/** Kind, previous position, key length. */
const HEADER_BYTES = 13;

function record(value = VALUE): Buffer {
  return encodeLogRecord({ kind: CREATED, previous: undefined, key: KEY, value }, POSITION);
}

/** As format 1 wrote it: without a checksum. */
function oldRecord(): Buffer {
  const bytes = record();
  bytes.writeUInt8(CREATED);
  return Buffer.concat([bytes.subarray(0, HEADER_BYTES), bytes.subarray(HEADER_BYTES + 4)]);
}

describe('a record of the log whose value is copied', () => {
  it('gives the value, which stays when the record is overwritten', () => {
    const bytes = record();
    const { value, checked } = copyValue(bytes, POSITION, KEY, new PageMemory());
    bytes.fill(0);
    assert.deepEqual([value.toString(), checked], [VALUE.toString(), true]);
  });

  it('is not readable when any one byte of it has changed', () => {
    for (let at = 0; at < record().length; at++) {
      const bytes = record();
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x01, at);
      const copy = copyValue(bytes, POSITION, KEY, new PageMemory());
      assert.deepEqual(copy, { value: UNREADABLE, checked: false }, `byte ${at}`);
      assert.equal(valueOfRecord(bytes, POSITION, KEY), UNREADABLE, `byte ${at}`);
    }
  });

  it('is not readable at another position, for another key or cut short', () => {
    const unreadable = { value: UNREADABLE, checked: false };
    const memory = new PageMemory();
    assert.deepEqual(copyValue(record(), OTHER_POSITION, KEY, memory), unreadable);
    const otherKeys = [KEY.subarray(1), KEY.subarray(0, -1), Buffer.from(KEY).reverse()];
    for (const key of otherKeys) {
      assert.deepEqual(copyValue(record(), POSITION, key, memory), unreadable, key.toString());
    }
    for (let length = 0; length < record().length; length++) {
      const cut = record().subarray(0, length);
      assert.deepEqual(copyValue(cut, POSITION, KEY, memory), unreadable, `${length} bytes`);
    }
  });

  it('is not called checked when it has no checksum', () => {
    const { value, checked } = copyValue(oldRecord(), POSITION, KEY, new PageMemory());
    assert.deepEqual([value.toString(), checked], [VALUE.toString(), false]);
    assert.deepEqual(
      [record(), oldRecord()].map((bytes) => decodeLogRecord(bytes, POSITION)?.checked),
      [true, false],
    );
  });

  it('keeps apart from all others that lie in the same memory', () => {
    const memory = new PageMemory();
    const lengths = [0, 1, 5_000, 70_000, 8_000, 30_000, ...Array<number>(40).fill(3_000)];
    const copies = lengths.map((length, i) => {
      const bytes = record(Buffer.alloc(length, i + 1));
      return copyValue(bytes, POSITION, KEY, memory).value;
    });
    copies.forEach((value, i) =>
      assert.ok(value.equals(Buffer.alloc(lengths[i] ?? 0, i + 1)), `value ${i}`),
    );
  });
});
