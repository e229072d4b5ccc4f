import assert from 'node:assert/strict';
import type { Entry } from './entry.ts';
import type { History } from './history.ts';
import { LookAhead } from './look-ahead.ts';

describe('looking ahead in the history', () => {
  const events = ['a', 'b', 'c'].map((key) => ({ entry: { key } as Entry }));
  const history = { end: events.length, at: (i: number) => events[i] } as unknown as History;

  it('prepares what waits together, and again what has been forgotten since', async () => {
    const asked: string[][] = [];
    const ready = new Set<string>();
    const ahead = new LookAhead({
      range: { start: '' },
      matches: () => true,
      prepare: (entries) => {
        const missing = entries.map(({ key }) => key).filter((key) => !ready.has(key));
        if (missing.length === 0) return undefined;
        asked.push(missing);
        return Promise.resolve().then(() => missing.forEach((key) => ready.add(key)));
      },
    });
    await ahead.at(history, 0);
    assert.equal(ahead.at(history, 0), undefined);
    ready.delete('b');
    await ahead.at(history, 1);
    assert.equal(ahead.at(history, 1), undefined);
    assert.equal(ahead.at(history, 2), undefined);
    assert.deepEqual(asked, [['a', 'b', 'c'], ['b']]);
  });
});
