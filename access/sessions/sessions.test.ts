import assert from 'node:assert/strict';
import { StoreError } from '../../storage/errors.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { UndecidedCredential, type TokenOwner } from '../authentication/authenticator.ts';
import { Attempts } from './attempts.ts';
import { SessionRecords } from './session-records.ts';
import { nameOf, newSessionId } from './session-seal.ts';
import { Sessions } from './sessions.ts';

const HOUR_MS = 60 * 60 * 1000;
const user = (name: string): TokenOwner['user'] => ({ name, uid: '', groups: [], extra: {} });

type Authenticate = () => TokenOwner | undefined;

const FORGOTTEN: Authenticate = () => undefined;

/** Several servers of one store. */
class Servers {
  readonly clock = new FakeClock();
  readonly store = new MemoryStore();

  add(authenticateToken = FORGOTTEN): Sessions {
    const { clock, store } = this;
    const tokens = { name: 't', authenticateToken };
    return new Sessions({ clock, records: new SessionRecords(store), tokens });
  }
}

const ended = (sessions: Sessions, id: string): Promise<void> =>
  assert.rejects(sessions.userOf(id), /has ended/);

describe('sessions', () => {
  let servers: Servers;
  beforeEach(() => {
    servers = new Servers();
  });

  it('end after two hours without a request, and after twelve in any case', async () => {
    const { clock } = servers;
    const [sessions, others] = [servers.add(), servers.add()];
    const idle = await sessions.begin({ user: user('ann'), method: 'code' });
    await clock.advance(2 * HOUR_MS);
    await ended(sessions, idle);
    const busy = await sessions.begin({ user: user('ann'), method: 'code' });
    for (let i = 0; i < 11; i++) {
      await clock.advance(HOUR_MS);
      // used on one server, it is used on all
      assert.deepEqual(await (i % 2 === 0 ? sessions : others).userOf(busy), user('ann'));
    }
    await clock.advance(HOUR_MS);
    await ended(sessions, busy);
    await ended(others, busy);
  });

  it('are at most 20 of one user, and 1,000 of all', async () => {
    const sessions = servers.add();
    const own: string[] = [];
    for (let i = 0; i < 21; i++) {
      own.push(await sessions.begin({ user: user('ann'), method: 'code' }));
    }
    assert.equal(await sessions.find(own[0]!), undefined);
    assert.notEqual(await sessions.find(own[1]!), undefined);
    const keys = async (): Promise<string[]> =>
      (await servers.store.list({ prefix: '' })).items.map(({ key }) => key);
    const before = await keys();
    for (let i = before.length; i < 1_000; i++) {
      await servers.store.create(`console-session.other.${i}`, Buffer.from('{}'));
    }
    await sessions.begin({ user: user('bob'), method: 'code' });
    const after = await keys();
    assert.equal(after.length, 1_000);
    assert.deepEqual(before.filter((key) => !after.includes(key)).length, 1);
    assert.equal(await servers.add().find(own[1]!), undefined);
  });

  it('count on every server, and end on all of them within a second', async () => {
    const [first, second] = [servers.add(), servers.add()];
    const id = await first.begin({ user: user('ann'), method: 'code' });
    assert.deepEqual(await second.userOf(id), user('ann'));
    await first.end(id);
    await ended(first, id);
    await servers.clock.advance(1_000);
    await ended(second, id);
  });

  it('are looked for once by requests that come together, and once in a second', async () => {
    const { store, clock } = servers;
    const sessions = servers.add();
    const id = await sessions.begin({ user: user('ann'), method: 'code' });
    let reads = 0;
    const get = store.get.bind(store);
    store.get = (...args) => (reads++, get(...args));
    await Promise.all([sessions.userOf(id), sessions.userOf(id)]);
    await sessions.userOf(id);
    assert.equal(reads, 1);
    await clock.advance(1_000);
    await sessions.userOf(id);
    assert.equal(reads, 2);
  });

  it('cannot be looked for without bound', async () => {
    const { store } = servers;
    store.get = () => new Promise(() => undefined);
    const sessions = servers.add();
    for (let i = 0; i < 64; i++) void sessions.find(newSessionId(`user-${i}`));
    await assert.rejects(sessions.find(newSessionId('one more')), UndecidedCredential);
  });

  it('stay for five minutes while the store cannot be read', async () => {
    const { store, clock } = servers;
    const sessions = servers.add();
    const id = await sessions.begin({ user: user('ann'), method: 'code' });
    await sessions.userOf(id);
    store.get = () => Promise.reject(new StoreError('unavailable', 'no quorum'));
    await clock.advance(4 * 60 * 1000);
    assert.deepEqual(await sessions.userOf(id), user('ann'));
    await clock.advance(60 * 1000);
    await assert.rejects(sessions.userOf(id), UndecidedCredential);
  });

  it('are kept so that the store alone neither signs in nor shows a token', async () => {
    const sessions = servers.add(() => ({ user: user('ann'), audiences: [] }));
    const token = 'a-token-of-ann';
    const id = await sessions.begin({ user: user('ann'), method: 'token', token });
    const { items } = await servers.store.list({ prefix: '' });
    const [item] = items;
    assert.equal(items.length, 1);
    const kept = `${item!.key} ${item!.value.toString()}`;
    for (const secret of [id, id.slice(16), token, Buffer.from(token).toString('base64')]) {
      assert.ok(!kept.includes(secret), secret);
    }
    // the record of one session is none of another
    const other = newSessionId('ann');
    await servers.store.create(`console-session.${nameOf(other)}`, item!.value);
    assert.equal(await servers.add().find(other), undefined);
    assert.deepEqual(await sessions.userOf(id), user('ann'));
  });

  it('survive an issuer that does not answer', async () => {
    let answer: Authenticate = () => {
      throw new UndecidedCredential('no answer');
    };
    const sessions = servers.add(() => answer());
    const id = await sessions.begin({ user: user('ann'), method: 'token', token: 'x' });
    await assert.rejects(sessions.userOf(id), UndecidedCredential);
    answer = () => ({ user: user('ann'), audiences: [] });
    assert.deepEqual(await sessions.userOf(id), user('ann'));
    answer = FORGOTTEN;
    await assert.rejects(sessions.userOf(id), /no longer valid/);
    assert.equal(await sessions.find(id), undefined);
  });
});

describe('attempts to sign in', () => {
  it('are limited to a burst of 20 per address, then one every three seconds', async () => {
    const clock = new FakeClock();
    const attempts = new Attempts(clock);
    for (let i = 0; i < 20; i++) assert.equal(attempts.count('a', 'begin'), undefined);
    assert.equal(attempts.count('a', 'begin'), 3);
    assert.equal(attempts.count('a', 'return'), undefined);
    assert.equal(attempts.count('b', 'begin'), undefined);
    await clock.advance(3_000);
    assert.equal(attempts.count('a', 'begin'), undefined);
    assert.equal(attempts.count('a', 'begin'), 3);
  });

  it('count the addresses of an IPv6 network together, and each IPv4 address by itself', () => {
    const attempts = new Attempts(new FakeClock());
    for (let i = 0; i < 20; i++) attempts.count(`2001:db8:1:2:${i}::1`, 'begin');
    assert.equal(attempts.count('2001:db8:1:2::9', 'begin'), 3);
    assert.equal(attempts.count('2001:db8:1:3::9', 'begin'), undefined);
    for (let i = 0; i < 20; i++) attempts.count(`::ffff:192.0.2.${i}`, 'begin');
    assert.equal(attempts.count('::ffff:192.0.2.20', 'begin'), undefined);
  });
});
