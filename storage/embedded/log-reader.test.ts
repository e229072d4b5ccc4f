import assert from 'node:assert/strict';
import { NO_REVISION, revisionOf } from '../../api/revision.ts';
import type { Environment } from './environment.ts';
import { LogReader } from './log-reader.ts';
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

describe('what is read of the log', () => {
  const isChecked = (entries: readonly TableEntry[]): boolean | undefined => {
    const tables = { log: { getRange: () => entries.values() } };
    const meta = { compacted: NO_REVISION, revision: revisionOf(3n) };
    const log = new LogReader({ tables } as unknown as Environment, meta as Meta);
    const part = log.read('', revisionOf(2n), false);
    assert.equal(part?.events.length, entries.length);
    return part.checked;
  };

  it('is called checked when each of its records has a checksum', () => {
    assert.equal(isChecked([entry(2n), entry(3n)]), true);
    assert.equal(isChecked([withoutChecksum(entry(2n)), entry(3n)]), false);
    assert.equal(isChecked([entry(2n), withoutChecksum(entry(3n))]), false);
  });
});
