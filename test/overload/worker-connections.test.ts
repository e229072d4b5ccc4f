import assert from 'node:assert/strict';
import { processesOf } from '../support/children.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';

/** Each worker takes 36 connections then. */
const OPEN_FILES = 100;
const WORKERS = 2;
const ROOM = WORKERS * (OPEN_FILES - 64);
const MORE = 30;

describe('the limit of connections of workers', () => {
  let plinth: Plinth;
  let clients: RawClient[];
  beforeEach(async () => {
    clients = [];
    plinth = await Plinth.start({ args: ['--workers', `${WORKERS}`], openFiles: OPEN_FILES });
    await eventually(async () => {
      plinth.disconnect();
      return (await plinth.get('/metrics')).text.includes('{worker="1"');
    }, 'both workers');
    plinth.disconnect();
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    await plinth.stop();
    await plinth.dispose();
  });

  it('ends those that are too many when all are in use, and idle ones in favour of new ones', async () => {
    let refused = 0;
    for (let i = 0; i < ROOM + MORE; i++) {
      RawClient.open(plinth.url).then(
        (client) => {
          clients.push(client);
          client.send('GET /livez HTTP/1.1\r\n');
        },
        () => refused++,
      );
    }
    await eventually(() => refused >= MORE && clients.length + refused === ROOM + MORE, 'refusals');
    assert.ok(plinth.output.includes('new connections refused'));

    for (const client of clients) client.send('host: plinth\r\n\r\n');
    await eventually(() => clients.every(({ status }) => status === 200), 'answers');
    let late: RawClient | undefined;
    const onOpen = (client: RawClient): void => {
      clients.push((late = client));
      client.send(head('GET', '/livez', {}));
    };
    await eventually(() => {
      RawClient.open(plinth.url).then(onOpen, () => undefined);
      return late?.status === 200 && clients.some(({ ended }) => ended !== undefined);
    }, 'room for a new one, which an idle one has left');
    assert.equal(processesOf(plinth.pid).workers.length, WORKERS);
  });
});
