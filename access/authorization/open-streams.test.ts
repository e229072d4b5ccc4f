import assert from 'node:assert/strict';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import { forbidden, unauthorized } from '../../api/api-error.ts';
import type { UserInfo } from '../../api/user.ts';
import { CollectingSink } from '../../watch/testing.ts';
import { isPushed, type PushControl } from '../../http/message.ts';
import {
  ALLOWED,
  NO_ATTRIBUTES,
  NO_OPINION,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
} from './authorizer.ts';
import { OpenStreams } from './open-streams.ts';

const PERIOD_MS = 20_000;
type Answer<T> = T | Promise<T>;

describe('open streams', () => {
  let clock: FakeClock;
  let streams: OpenStreams;
  let asked: AuthorizationAttributes[];
  let decide: (attributes: AuthorizationAttributes) => Answer<AuthorizationDecision>;
  let identify: (user: UserInfo) => Answer<UserInfo>;
  /** Codes of the errors that ended streams, by user. */
  let ended: [string, number][];

  beforeEach(() => {
    clock = new FakeClock();
    [asked, ended] = [[], []];
    decide = () => ALLOWED;
    identify = (user) => user;
    const authorizer: Authorizer = {
      name: 'test',
      authorize(attributes) {
        asked.push(attributes);
        return decide(attributes);
      },
      rulesFor: () => undefined,
    };
    streams = new OpenStreams({ authorizer, clock, periodMs: PERIOD_MS });
  });

  /** Opens a stream; what it returns is the client's side, which can close it. */
  const open = (name: string, credential = name, namespace = ''): PushControl => {
    const user = { name, uid: '', groups: [], extra: {} };
    const control: PushControl = {
      resume: () => undefined,
      close: () => undefined,
      fail: (error) => void ended.push([name, error.code]),
    };
    const { body } = streams.followed(
      { ...NO_ATTRIBUTES, user, verb: 'watch', isResource: true, namespace },
      { key: credential, ask: () => identify(user) },
      { status: 200, headers: {}, body: { start: () => control } },
    );
    assert.ok(!Buffer.isBuffer(body) && isPushed(body));
    return body.start(new CollectingSink());
  };
  const round = async (): Promise<void> => {
    await clock.advance(PERIOD_MS);
    await settle();
  };

  it('end with a 403 when the permission for them is revoked, and only then', async () => {
    for (const name of ['a', 'b']) open(name);
    await round();
    assert.deepEqual(ended, []);
    decide = ({ user }) => (user.name === 'a' ? ALLOWED : NO_OPINION);
    await round();
    assert.deepEqual(ended, [['b', 403]]);
    await round();
    assert.deepEqual(ended, [['b', 403]], 'once');
  });

  it('end with a 401 when their credentials become invalid or belong to another user', async () => {
    for (const name of ['a', 'b', 'c']) open(name);
    await round();
    identify = (user) => {
      if (user.name === 'a') throw unauthorized();
      return user.name === 'b' ? { ...user, name: 'x' } : user;
    };
    await round();
    assert.deepEqual(ended, [
      ['a', 401],
      ['b', 401],
    ]);
  });

  it('end with a 403 when the user may no longer be impersonated', async () => {
    open('a');
    identify = () => Promise.reject(forbidden({ group: '', resource: 'users' }, 'a', 'no'));
    await round();
    assert.deepEqual(ended, [['a', 403]]);
  });

  it('are authorized with the current groups of the user', async () => {
    open('a');
    identify = (user) => ({ ...user, groups: ['new'] });
    await round();
    assert.deepEqual(asked.at(-1)?.user.groups, ['new']);
  });

  it('continue when authorization cannot be decided', async () => {
    for (const name of ['a', 'b', 'c']) open(name);
    identify = (user) => (user.name === 'a' ? Promise.reject(new Error('no answer')) : user);
    decide = ({ user }) => {
      if (user.name === 'b') throw new Error('no answer');
      return { ...NO_OPINION, error: 'no answer' };
    };
    await round();
    await round();
    assert.deepEqual(ended, []);
  });

  it('with equal attributes share one authorization check', async () => {
    for (let i = 0; i < 100; i++) open('a', `credential-${i % 3}`);
    open('a', 'credential-0', 'other');
    open('b');
    await round();
    assert.equal(asked.length, 3);
    decide = () => NO_OPINION;
    await round();
    assert.equal(ended.length, 102);
  });

  it('are not authorized after they are closed', async () => {
    const first = open('a');
    const second = open('a');
    first.close();
    await round();
    assert.equal(asked.length, 1);
    second.close();
    second.close();
    await round();
    assert.equal(asked.length, 1);
  });

  it('that wait for a remote authorizer do not delay other streams', async () => {
    const hanging: ((decision: AuthorizationDecision) => void)[] = [];
    let isLeft = false;
    for (let i = 0; i < 100; i++) open(`hanging-${i}`);
    open('quick');
    decide = ({ user }) =>
      user.name === 'quick'
        ? isLeft
          ? NO_OPINION
          : ALLOWED
        : new Promise((resolve) => void hanging.push(resolve));
    await round();
    assert.ok(hanging.length <= 16, 'questions under way at once');
    await clock.advance(10_000);
    for (const answer of hanging) answer(ALLOWED);
    isLeft = true;
    await round();
    assert.deepEqual(ended, [['quick', 403]], 'in the next round');
    decide = () => NO_OPINION;
    for (const answer of hanging) answer(NO_OPINION);
    for (let i = 0; i < 3; i++) await round();
    assert.equal(ended.length, 101, 'they are asked all the same');
  });
});
