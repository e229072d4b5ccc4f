import assert from 'node:assert/strict';
import { Http2Client } from '../support/http2-client.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const CONNECTIONS = 10;
const WATCHES_EACH = 100;
const CHANGES = 20;

describe('watches with the same filter', () => {
  let plinth: Plinth;
  const clients: Http2Client[] = [];
  before(async () => {
    plinth = await Plinth.start();
  });
  after(async () => {
    for (const client of clients) client.close();
    await plinth.dispose();
  });

  async function evaluations(): Promise<number> {
    const { text } = await plinth.get('/metrics');
    return Number(/^plinth_filter_evaluations_total (\d+)$/m.exec(text)?.[1]);
  }

  async function change(name: string, number: number): Promise<void> {
    const data = { number: String(number) };
    const type = { 'content-type': 'application/merge-patch+json' };
    const reply = await plinth.send('PATCH', `${MAPS}/${name}`, { data }, type);
    assert.equal(reply.status, 200, reply.text);
  }

  it('evaluate it once an event, a thousand of them', async () => {
    const body = { metadata: { name: 'shared' }, data: { number: '0' } };
    const made = await plinth.send('POST', MAPS, body);
    const { resourceVersion } = made.json.metadata;
    const filter = encodeURIComponent('int(object.data.number) % 2 == 0');
    const path = `${MAPS}?watch=1&resourceVersion=${resourceVersion}&filter=${filter}`;
    let open = 0;
    let events = 0;
    for (let i = 0; i < CONNECTIONS; i++) {
      const client = await Http2Client.open(plinth);
      clients.push(client);
      for (let k = 0; k < WATCHES_EACH; k++) {
        const stream = client.stream(path);
        stream.on('response', (head) => (open += head[':status'] === 200 ? 1 : 0));
        stream.on('data', (piece: Buffer) => {
          events += piece.toString().split('\n').length - 1;
        });
      }
    }
    await eventually(() => open === CONNECTIONS * WATCHES_EACH, 'all watches are open');
    const before = await evaluations();
    for (let i = 1; i <= CHANGES; i++) {
      await change('shared', i);
      // ADDED when the number is even, DELETED when it is odd
      await eventually(() => events === i * open, `event ${i} at every watch`);
    }
    // the state before the first change, and each state after one
    assert.equal((await evaluations()) - before, CHANGES + 1);
  });

  it('evaluate it for themselves when it is another', async () => {
    const before = await evaluations();
    let seen = 0;
    const watches = await Promise.all(
      [1, 2, 3].map((i) =>
        plinth.watch(
          `${MAPS}?watch=1&filter=${encodeURIComponent(`int(object.data.number) >= ${i}`)}`,
          () => seen++,
        ),
      ),
    );
    await eventually(() => seen >= 3, 'the state at every watch');
    for (const watch of watches) watch.close();
    const maps = (await plinth.get(MAPS)).json.items.length;
    assert.equal((await evaluations()) - before, 3 * maps);
  });
});
