import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Environment } from '../../storage/embedded/environment.ts';
import { Meta } from '../../storage/embedded/meta.ts';
import {
  decodeLogRecord,
  decodePosition,
  decodeStateRecord,
  DELETED,
  expiryKey,
  keyOfVersion,
  positionOfVersion,
  revisionAt,
  versionKey,
} from '../../storage/embedded/record.ts';

/** A new object each time: LMDB's binding writes into its options. */
function everything(): { start: Buffer; end: Buffer } {
  return { start: Buffer.alloc(1), end: Buffer.alloc(1_900, 0xff) };
}

interface Inspection {
  readonly events: number;
  readonly keys: number;
}

/** Reads the tables of a store that is not open, and checks that they agree with each other. */
export async function inspect(dir: string): Promise<Inspection> {
  const environment = new Environment(join(dir, 'store.mdb'), 64 * 1024 * 1024);
  try {
    return check(environment);
  } finally {
    await environment.close();
  }
}

function check({ tables }: Environment): Inspection {
  const meta = new Meta(tables.meta);
  const { revision: current, compacted } = meta;
  const newest = new Map<string, Buffer>();
  let events = 0;
  let last = 0n;
  let next = compacted;
  let index = 0;
  for (const { key: position, value } of tables.log.getRange(everything())) {
    events++;
    const at = decodePosition(position);
    const { kind, previous, key } = decodeLogRecord(value, position)!;
    // From the compacted revision on, the log has no gap.
    if (at.revision > compacted) {
      if (at.revision === last)
        assert.equal(at.index, ++index, 'an event of a revision is missing');
      else {
        assert.equal(at.revision, next + 1n, 'a revision is missing');
        assert.equal(at.index, 0);
        index = 0;
      }
      next = at.revision;
    }
    last = at.revision;
    const before = newest.get(key.toString('hex'));
    if (before !== undefined) assert.deepEqual(previous, before, 'the chain of versions is broken');
    if (kind === DELETED) newest.delete(key.toString('hex'));
    else newest.set(key.toString('hex'), Buffer.from(position));
    assert.equal(tables.versions.get(versionKey(key, position))?.[0], kind, 'a version is missing');
  }
  assert.ok(last <= current, 'the log is ahead of the revision');
  if (current > compacted) assert.equal(last, current, 'the log ends too early');

  let deadlines = 0;
  let keys = 0;
  for (const { key, value } of tables.state.getRange(everything())) {
    keys++;
    const { position, deadline } = decodeStateRecord(value);
    assert.deepEqual(
      position,
      newest.get(key.toString('hex')),
      'the state is not what the log says',
    );
    if (deadline === 0n) continue;
    deadlines++;
    assert.deepEqual(
      tables.expiry.get(expiryKey(deadline, position)),
      key,
      'a deadline is missing',
    );
  }
  assert.equal(keys, newest.size, 'the state lacks a key');
  assert.equal(tables.expiry.countKeys(everything()), deadlines, 'a deadline is left over');

  let versions = 0;
  for (const version of tables.versions.getKeys(everything())) {
    versions++;
    const record = tables.log.get(positionOfVersion(version));
    assert.ok(
      record !== undefined,
      `revision ${revisionAt(positionOfVersion(version))} is missing`,
    );
    const at = positionOfVersion(version);
    assert.deepEqual(decodeLogRecord(record, at)?.key, keyOfVersion(version));
  }
  assert.equal(versions, events, 'versions and log differ');
  return { events, keys };
}
