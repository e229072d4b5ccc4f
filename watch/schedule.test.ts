import assert from 'node:assert/strict';
import { FakeClock } from '../test/support/fake-clock.ts';
import { StreamSchedule } from './schedule.ts';

describe('StreamSchedule', () => {
  /** What happens to a stream, with the second in which it happens, until it is over. */
  async function story(timeoutMs: number, bookmarks = true): Promise<string[]> {
    const clock = new FakeClock();
    const told: string[] = [];
    const schedule = new StreamSchedule({ clock, random: () => 0, bookmarks, timeoutMs });
    const began = clock.monotonic();
    const tell = (what: string): void => {
      told.push(`${what} ${(clock.monotonic() - began) / 1000}`);
    };
    schedule.start({
      bookmark: () => tell('bookmark'),
      timeout: () => {
        tell('end');
        schedule.stop();
      },
    });
    await clock.advance(timeoutMs + 600_000);
    return told;
  }

  it('sends a bookmark each minute and shortly before the end', async () => {
    assert.deepEqual(await story(130_000), [
      'bookmark 60',
      'bookmark 120',
      'bookmark 128',
      'end 130',
    ]);
  });

  it('ends streams that are too short for a bookmark', async () => {
    for (const s of [1, 2]) assert.deepEqual(await story(s * 1000), [`end ${s}`]);
  });

  it('sends no bookmark to a watch that did not ask for one', async () => {
    assert.deepEqual(await story(130_000, false), ['end 130']);
  });

  it('sends nothing after the final bookmark', async () => {
    const clock = new FakeClock();
    const schedule = new StreamSchedule({
      clock,
      random: () => 0,
      bookmarks: true,
      timeoutMs: 1e9,
    });
    let told = 0;
    schedule.start({
      bookmark: () => {
        told++;
        schedule.stop();
      },
      timeout: () => assert.fail('it has ended before'),
    });
    await clock.advance(600_000);
    assert.equal(told, 1);
  });
});
