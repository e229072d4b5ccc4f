import assert from 'node:assert/strict';
import { ApiError } from '../../api/api-error.ts';
import { BodiesAway, type Sender } from './bodies-away.ts';

const MIB = 1024 * 1024;
const sender = (user: string, bytes: number): Sender => ({ user, bytes, calls: 0, counted: 0 });
const is429 = (error: unknown): boolean => error instanceof ApiError && error.code === 429;

describe('BodiesAway', () => {
  const open: (() => void)[] = [];
  const hangs = (): Promise<void> => new Promise((resolve) => open.push(resolve));

  it('refuses more than one user may have waiting, and takes it again afterwards', async () => {
    const bodies = new BodiesAway();
    const first = bodies.while(sender('a', 10 * MIB), hangs);
    await assert.rejects(bodies.while(sender('a', 7 * MIB), hangs), is429);
    const small = bodies.while(sender('a', 1_000), hangs);
    const other = bodies.while(sender('b', 7 * MIB), hangs);
    for (const end of open.splice(0)) end();
    await Promise.all([first, small, other]);
    assert.equal(await bodies.while(sender('a', 16 * MIB), () => Promise.resolve(1)), 1);
  });

  it('refuses more than all users may have waiting, but no small request', async () => {
    const bodies = new BodiesAway();
    const all = ['a', 'b', 'c', 'd'].map((user) => bodies.while(sender(user, 16 * MIB), hangs));
    await assert.rejects(bodies.while(sender('e', MIB), hangs), is429);
    assert.equal(await bodies.while(sender('e', 1_000), () => Promise.resolve(1)), 1);
    for (const end of open.splice(0)) end();
    await Promise.all(all);
  });

  it('counts a request once, however many servers it waits for', async () => {
    const bodies = new BodiesAway();
    const one = sender('a', 10 * MIB);
    const calls = [
      bodies.while(one, hangs),
      bodies.while(one, () => Promise.reject(new Error('x'))),
    ];
    await assert.rejects(calls[1]!, /x/);
    await assert.rejects(bodies.while(sender('a', 10 * MIB), hangs), is429);
    for (const end of open.splice(0)) end();
    await calls[0];
    assert.equal(await bodies.while(sender('a', 10 * MIB), () => Promise.resolve(1)), 1);
  });
});
