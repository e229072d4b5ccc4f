import assert from 'node:assert/strict';
import { batchesOf } from './batches.ts';

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
    const alone = ['test/overload/leaks.test.ts', 'test/server/crash.test.ts'];
    const batches = batchesOf([...alone, ...names(2, 'test/overload')]);
    assert.deepEqual(
      batches.map(({ alone, files }) => [alone, files.length]),
      [
        [false, 2],
        [true, 2],
      ],
    );
  });
});
