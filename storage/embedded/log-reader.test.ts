import assert from 'node:assert/strict';
import { NO_REVISION, revisionOf } from '../../api/revision.ts';
import type { Environment } from './environment.ts';
import { LogReader } from './log-reader.ts';
import type { StoreEvent } from '../interface.ts';
import type { Meta } from './meta.ts';
import { CREATED, encodeLogRecord, encodePosition, type Kind } from './record.ts';
import type { TableEntry } from './table.ts';

const CHECKSUM_AT = 13;
const CHECKSUM_END = 17;
const VALUE = Buffer.from('{}');

function entry(revision: bigint): TableEntry {
  const key = encodePosition({ revision: revisionOf(revision), index: 0 });
  const record = {
    kind: CREATED as Kind,
    previous: undefined,
    key: Buffer.from('a'),
    value: VALUE,
  };
  return { key, value: encodeLogRecord(record, key) };
}

/** As format 1 wrote it. */
function withoutChecksum({ key, value }: TableEntry): TableEntry {
  const old = Buffer.concat([value.subarray(0, CHECKSUM_AT), value.subarray(CHECKSUM_END)]);
  old.writeUInt8(CREATED);
  return { key, value: old };
}

/** A log up to revision 3. */
function logOf(entries: readonly TableEntry[]): LogReader {
  const getRange = ({ start }: { start: Buffer }): Iterable<TableEntry> =>
    entries.filter(({ key }) => key.compare(start) >= 0);
  const meta = { compacted: NO_REVISION, revision: revisionOf(3n) };
  return new LogReader({ tables: { log: { getRange } } } as unknown as Environment, meta as Meta);
}

describe('what is read of the log', () => {
  const isChecked = (entries: readonly TableEntry[]): boolean | undefined => {
    const part = logOf(entries).read('', revisionOf(2n), false);
    assert.equal(part?.events.length, entries.length);
    return part.checked;
  };

  it('is called checked when each of its records has a checksum', () => {
    assert.equal(isChecked([entry(2n), entry(3n)]), true);
    assert.equal(isChecked([withoutChecksum(entry(2n)), entry(3n)]), false);
    assert.equal(isChecked([entry(2n), withoutChecksum(entry(3n))]), false);
  });

  it('begins where the reader asks, up to the newest revision, whether it is kept or not', () => {
    const kept = logOf([entry(2n), entry(3n)]);
    const [first, second] = [2n, 3n].map((revision): StoreEvent => {
      const put = { key: 'a', value: VALUE, revision: revisionOf(revision) };
      return { type: 'put', ...put, created: true };
    }) as [StoreEvent, StoreEvent];
    kept.keep({
      ...{ events: [first, second], bytes: 4 },
      ...{ after: revisionOf(1n), revision: revisionOf(3n) },
    });
    for (const log of [kept, logOf([entry(2n), entry(3n)])]) {
      const from = (revision: bigint): ReturnType<LogReader['read']> =>
        log.read('', revisionOf(revision), false);
      assert.deepEqual(from(2n)?.events, [first, second]);
      assert.deepEqual(from(3n)?.events, [second]);
      assert.equal(from(3n)?.revision, 3n);
      assert.equal(from(4n), undefined);
    }
  });
});
