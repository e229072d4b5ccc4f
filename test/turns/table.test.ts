import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * Requests that once held the event loop for too long, one row for each. What is
 * measured is the CPU of the longest turn, as in bodies.test.ts.
 */
const MAPS = '/api/v1/namespaces/default/configmaps';
const KEYS = 40_000;
/** Enough that several of them in one turn are seen. */
const OBJECTS = 10;

const keys = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

/** `send` is called a few times, each time with another number. */
type Row = readonly [what: string, code: number, send: (attempt: number) => Promise<Reply>];

describe('a turn of the event loop is short for', function () {
  this.timeout(300_000);
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    for (let i = 0; i < OBJECTS; i++) {
      const metadata = { name: `m${i}`, labels: { of: 'reads' } };
      const { status } = await plinth.send('POST', MAPS, { metadata, data: keys(KEYS, 'x') });
      assert.equal(status, 201);
    }
  });
  after(() => plinth.dispose());

  const list = (query: string): Promise<Reply> =>
    plinth.get(`${MAPS}?labelSelector=of%3Dreads&${query}`);
  const rows: readonly Row[] = [
    ['one field of large objects', 200, (i) => list(`fields=data.k${i}`)],
    ['a part of an object that is most of it', 200, (i) => list(`fields=data&limit=${i + 2}`)],
    ['the changes of one field', 200, (i) => list(`watch=1&timeoutSeconds=1&fields=data.k${i}`)],
    ['the deletion of large objects', 200, () => plinth.send('DELETE', `${MAPS}?dryRun=All`)],
  ];
  for (const [what, code, send] of rows) {
    it(what, async () => {
      await turns.areShortFor(code, send);
    });
  }
});
