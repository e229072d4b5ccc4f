import assert from 'node:assert/strict';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import { CollectingSink } from '../../watch/testing.ts';
import { isPushed, type PushControl } from '../../http/message.ts';
import { ALLOWED, NO_ATTRIBUTES, NO_OPINION, type Authorizer } from './authorizer.ts';
import { OpenStreams } from './open-streams.ts';

describe('open streams', () => {
  it('end with a 403 when the right to them is gone, and only then', async () => {
    const clock = new FakeClock();
    const allowed = new Set(['a', 'b']);
    const authorizer: Authorizer = {
      name: 'test',
      authorize: ({ user }) => (allowed.has(user.name) ? ALLOWED : NO_OPINION),
      rulesFor: () => undefined,
    };
    const streams = new OpenStreams(authorizer, clock);
    const sinks: Record<string, CollectingSink> = {};
    let closed = 0;
    for (const name of ['a', 'b']) {
      const sink = (sinks[name] = new CollectingSink());
      const user = { name, uid: '', groups: [], extra: {} };
      const attributes = { ...NO_ATTRIBUTES, user, verb: 'watch', isResource: true };
      const control: PushControl = { resume: () => undefined, close: () => void (closed += 1) };
      const { body } = streams.followed(attributes, {
        ...{ status: 200, headers: {} },
        body: { start: () => control },
      });
      assert.ok(!Buffer.isBuffer(body) && isPushed(body));
      body.start(sink);
    }
    await clock.advance(20_000);
    await settle();
    assert.equal(closed, 0);
    allowed.delete('b');
    await clock.advance(20_000);
    await settle();
    assert.equal(closed, 1);
    assert.deepEqual([sinks.a?.ended, sinks.a?.text], [false, '']);
    assert.equal(sinks.b?.ended, true);
    assert.match(sinks.b.text, /^\{"type":"ERROR","object":\{.*"code":403/);
  });
});
