import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { SignInCodes } from './sign-in-codes.ts';

const MINUTE_MS = 60 * 1000;

describe('codes of links to the console', () => {
  let clock: FakeClock;
  let store: MemoryStore;
  let first: SignInCodes;
  let second: SignInCodes;
  beforeEach(() => {
    clock = new FakeClock();
    store = new MemoryStore();
    first = new SignInCodes({ store, clock, newCode: () => 'right' });
    second = new SignInCodes({ store, clock, newCode: () => 'other' });
  });

  it('are valid once over all servers, and only after they are issued', async () => {
    assert.equal(await first.take('right'), false);
    await first.issue();
    for (const wrong of ['', 'wrong', 'other']) assert.equal(await second.take(wrong), false);
    assert.equal(await second.take('right'), true);
    assert.equal(await first.take('right'), false);
    assert.equal(await second.take('right'), false);
  });

  it('are given to one of many that take them at once', async () => {
    await first.issue();
    const servers = [first, second, first, second, first];
    const taken = await Promise.all(servers.map((codes) => codes.take('right')));
    assert.equal(taken.filter(Boolean).length, 1);
  });

  it('are valid for 15 minutes, also where the store keeps them for longer', async () => {
    await first.issue();
    await second.issue();
    await clock.advance(15 * MINUTE_MS - 1);
    assert.equal(await first.take('right'), true);
    assert.equal(await first.isOpen(), true);
    await clock.advance(1);
    assert.equal(await first.take('other'), false);
    assert.equal(await first.isOpen(), false);
  });

  it('stand in the store as hashes', async () => {
    await first.issue();
    const { items } = await store.list({ prefix: '' });
    assert.equal(items.length, 1);
    for (const { key, value } of items) assert.doesNotMatch(key + value.toString(), /right/);
  });
});
