import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { UndecidedCredential, type TokenOwner } from '../authentication/authenticator.ts';
import { Attempts } from './attempts.ts';
import { SignInCode } from './sign-in-code.ts';
import { Sessions } from './sessions.ts';

const HOUR_MS = 60 * 60 * 1000;
const user = (name: string): TokenOwner['user'] => ({ name, uid: '', groups: [], extra: {} });

function sessionsOf(authenticateToken: () => TokenOwner | undefined = () => undefined): {
  clock: FakeClock;
  sessions: Sessions;
} {
  const clock = new FakeClock();
  let count = 0;
  const newId = (): string => `id-${count++}`;
  return {
    clock,
    sessions: new Sessions({ clock, newId, tokens: { name: 't', authenticateToken } }),
  };
}

describe('sessions', () => {
  it('end after two hours without a request, and after twelve in any case', async () => {
    const { clock, sessions } = sessionsOf();
    const idle = sessions.begin({ user: user('ann'), method: 'code' });
    await clock.advance(2 * HOUR_MS);
    assert.throws(() => sessions.userOf(idle), /has ended/);
    const busy = sessions.begin({ user: user('ann'), method: 'code' });
    for (let i = 0; i < 11; i++) {
      await clock.advance(HOUR_MS);
      assert.deepEqual(sessions.userOf(busy), user('ann'));
    }
    await clock.advance(HOUR_MS);
    assert.throws(() => sessions.userOf(busy), /has ended/);
  });

  it('are at most 20 of one user, and 1,000 of all', () => {
    const { sessions } = sessionsOf();
    const own = Array.from({ length: 21 }, () =>
      sessions.begin({ user: user('ann'), method: 'code' }),
    );
    assert.equal(sessions.find(own[0]!), undefined);
    assert.notEqual(sessions.find(own[1]!), undefined);
    for (let i = 0; i < 1_000; i++) sessions.begin({ user: user(`user-${i}`), method: 'code' });
    assert.equal(sessions.find(own[20]!), undefined);
  });

  it('survive an issuer that does not answer', async () => {
    let answer: () => TokenOwner | undefined = () => {
      throw new UndecidedCredential('no answer');
    };
    const { sessions } = sessionsOf(() => answer());
    const id = sessions.begin({ user: user('ann'), method: 'token', token: 'x' });
    await assert.rejects(async () => sessions.userOf(id), UndecidedCredential);
    answer = () => ({ user: user('ann'), audiences: [] });
    assert.deepEqual(await sessions.userOf(id), user('ann'));
    answer = () => undefined;
    await assert.rejects(async () => sessions.userOf(id), /no longer valid/);
    assert.equal(sessions.find(id), undefined);
  });
});

describe('the code of the link', () => {
  const codeOf = (): { clock: FakeClock; code: SignInCode } => {
    const clock = new FakeClock();
    return { clock, code: new SignInCode(clock, () => 'right') };
  };

  it('is valid once, and only after it is issued', () => {
    const { code } = codeOf();
    assert.equal(code.take(''), false);
    assert.equal(code.take('right'), false);
    code.issue();
    assert.equal(code.take('wrong'), false);
    assert.equal(code.take('right'), true);
    assert.equal(code.take('right'), false);
  });

  it('is valid for 15 minutes', async () => {
    const { clock, code } = codeOf();
    code.issue();
    await clock.advance(15 * 60 * 1000);
    assert.equal(code.take('right'), false);
  });
});

describe('attempts to sign in', () => {
  it('are limited to a burst of 20 per address, then one every three seconds', async () => {
    const clock = new FakeClock();
    const attempts = new Attempts(clock);
    for (let i = 0; i < 20; i++) assert.equal(attempts.secondsToWait('a'), undefined);
    assert.equal(attempts.secondsToWait('a'), 3);
    assert.equal(attempts.secondsToWait('b'), undefined);
    await clock.advance(3_000);
    assert.equal(attempts.secondsToWait('a'), undefined);
    assert.equal(attempts.secondsToWait('a'), 3);
  });
});
