import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { batchesOf, NAMED } from './batches.ts';

const names = (count: number, folder: string): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}.test.ts`);

describe('batches of test files', () => {
  it('hold every file once', () => {
    const files = [...names(130, 'cel'), ...names(31, 'test/server'), ...names(3, 'test/turns')];
    const batches = batchesOf(files);
    assert.deepEqual(batches.flatMap((batch) => batch.files).sort(), [...files].sort());
    for (const batch of batches) assert.ok(batch.files.length > 0);
  });

  it('keep apart what needs the machine for itself, at the end', () => {
    const alone = ['test/overload/slow-watchers.test.ts', 'test/overload/workers.test.ts'];
    const batches = batchesOf([...alone, ...names(2, 'test/overload')]);
    assert.deepEqual(
      batches.map(({ alone, files }) => [alone, files.length]),
      [
        [false, 2],
        [true, 2],
      ],
    );
  });

  it('begin with the files that wait longest, each for itself', () => {
    const slow = ['test/controllers/takeover.test.ts', 'test/storage/etcd-watch.test.ts'];
    const batches = batchesOf([...names(2, 'api'), ...names(2, 'test/access'), ...slow]);
    assert.deepEqual(
      batches.map(({ files }) => files),
      [...slow.map((file) => [file]), names(2, 'test/access'), names(2, 'api')],
    );
  });

  it('name only files that exist', () => {
    for (const file of NAMED) assert.ok(existsSync(file), file);
  });
});
