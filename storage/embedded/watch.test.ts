import assert from 'node:assert/strict';
import { revisionOf } from '../../api/revision.ts';
import { isStoreError } from '../errors.ts';
import type { LogReader } from './log-reader.ts';
import { WatchCursor } from './watch.ts';

describe('cursor over the log of the embedded store', () => {
  it('ends when the log cannot be read', async () => {
    const log = {
      read(): never {
        throw new RangeError('a record is cut short');
      },
    } as unknown as LogReader;
    const closed: WatchCursor[] = [];
    const cursor = new WatchCursor(log, { prefix: '', from: revisionOf(1n) }, (one) =>
      closed.push(one),
    );
    await assert.rejects(cursor.next(), (error) => isStoreError(error, 'corrupt'));
    assert.deepEqual(closed, [cursor]);
  });
});
