import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';

/** Source: RFC 9112, section 3.2. */
describe('targets of requests', () => {
  let plinth: Plinth;
  before(async () => (plinth = await Plinth.start()));
  after(() => plinth.dispose());

  const answerTo = async (target: string, headers = {}): Promise<RawClient> => {
    const client = await RawClient.open(plinth.url);
    client.send(head('GET', target, { ...headers, connection: 'close', ...headers }));
    await eventually(() => client.ended !== undefined, `an answer to ${target}`);
    return client;
  };

  it('may be in absolute form', async () => {
    for (const target of ['https://plinth/livez', 'http://127.0.0.1:1/livez', 'https://[/livez']) {
      const { status, received } = await answerTo(target);
      assert.equal(status, 200, target);
      assert.match(received, /ok/);
    }
    const { received } = await answerTo('https://plinth/livez?verbose');
    assert.match(received, /livez check passed/);
    const upgrade = { connection: 'upgrade', upgrade: 'other' };
    assert.equal((await answerTo('https://plinth/livez', upgrade)).status, 200);
    assert.equal((await answerTo('https://plinth')).status, 401, 'the path is /');
  });
});
