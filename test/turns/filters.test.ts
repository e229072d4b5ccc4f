import assert from 'node:assert/strict';
import { Http2Client } from '../support/http2-client.ts';
import { Plinth } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * A filter takes up to ten milliseconds to compile. Those of requests that come together
 * do not add up to a long turn: each one has a turn of its own.
 */
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const WATCH = '/apis/query.cluster.io/v1/watch';
const TOGETHER = 200;
/** Of one stream. */
const PARTS = 40;

let made = 0;
/** A filter that no request has had before. */
function newFilter(): string {
  const own = made++;
  const patterns = Array.from(
    { length: 12 },
    (_, i) => `(a|b|c${own})+[0-9]{1,${20 + i}}x(d|e|f)*`,
  );
  return patterns.map((pattern) => `object.metadata.name.matches("${pattern}")`).join('||');
}
describe('turns of the event loop, for filters', () => {
  const turns = new Turns();
  let plinth: Plinth;
  let client: Http2Client;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    client = await Http2Client.open(plinth);
  });
  after(async () => {
    client.session.destroy();
    await plinth.dispose();
  });

  it('are short while very many of them come together', async () => {
    await turns.areShortDuring(async () => {
      const query = (): string => `filter=${encodeURIComponent(newFilter())}`;
      const paths = Array.from({ length: TOGETHER }, () => `${LEASES}?${query()}`);
      const answers = await Promise.all(paths.map((path) => client.get(path)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    });
  });

  it('are short for a stream whose subscriptions have a filter each', async () => {
    await turns.areShortDuring(async () => {
      const subscriptions = Array.from({ length: PARTS }, (_, i) => ({
        ...{ id: `s${i}`, resource: 'leases.coordination.cluster.io', filter: newFilter() },
      }));
      const resourceVersion = String((await plinth.get(LEASES)).json.metadata.resourceVersion);
      const body = JSON.stringify({ timeoutSeconds: 1, resourceVersion, subscriptions });
      const { status } = await client.send('POST', WATCH, body);
      assert.equal(status, 200);
    });
  });
});
