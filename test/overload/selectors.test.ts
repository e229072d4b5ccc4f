import assert from 'node:assert/strict';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';
import { Turns } from '../support/turns.ts';

const users = tokenUsers(['other']);
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const REVIEWS = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';

const terms = (count: number, value = 'v'): string =>
  Array.from({ length: count }, (_, i) => `k${i}!=${value}`).join(',');
const fieldTerms = (count: number): string =>
  Array.from({ length: count }, (_, i) => `metadata.name!=v${i}`).join(',');

/** More than a selector may have, and what is said about it. */
type Case = readonly [kind: string, selector: string, why: RegExp];
const TOO_MANY: readonly Case[] = [
  ['labelSelector', terms(1_001), /too many terms: limit is 1000/],
  ['fieldSelector', fieldTerms(1_001), /too many terms: limit is 1000/],
];
const TOO_LONG: readonly Case[] = [
  ['labelSelector', `a in (${'x,'.repeat(32_800)})`, /has 65607 characters: limit is 65536/],
  ['fieldSelector', `metadata.name=${'x'.repeat(65_600)}`, /has 65614 characters: limit is 65536/],
];

describe('selectors of many terms', () => {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: users.args, nodeArgs: turns.nodeArgs });
  });
  after(() => plinth.dispose());

  const review = (selector: object): Promise<Reply> => {
    const resourceAttributes = { verb: 'list', resource: 'leases', ...selector };
    return plinth.send('POST', REVIEWS, { spec: { resourceAttributes } });
  };

  it('are refused by list, watch and deletecollection, with the limit', async () => {
    for (const [kind, selector, why] of TOO_MANY) {
      const query = `${kind}=${encodeURIComponent(selector)}`;
      for (const reply of [
        await plinth.get(`${LEASES}?${query}`),
        await plinth.get(`${LEASES}?limit=1&${query}`),
        await plinth.get(`${LEASES}?watch=1&${query}`),
        await plinth.send('DELETE', `${LEASES}?dryRun=All&${query}`),
      ]) {
        assert.equal(reply.status, 400, reply.text.slice(0, 300));
        assert.match(reply.json.message, why);
      }
    }
  });

  it('that are longer than a URL may be are refused with it', async () => {
    for (const [kind, selector] of TOO_LONG) {
      const query = `${kind}=${encodeURIComponent(selector)}`;
      assert.equal((await plinth.get(`${LEASES}?${query}`)).status, 431);
    }
  });

  it('are left out of a review, which says so', async () => {
    for (const [kind, rawSelector, why] of [...TOO_MANY, ...TOO_LONG]) {
      const { status, json } = await review({ [kind]: { rawSelector } });
      assert.equal(status, 201);
      assert.match(json.status.evaluationError, why);
    }
  });

  it('are bounded over the open watches of a user, when they differ', async () => {
    const path = (value: string, more = ''): string =>
      `${LEASES}?watch=1${more}&labelSelector=${encodeURIComponent(terms(1_000, value))}`;
    const open = (value: string) => plinth.watch(path(value), () => undefined);
    const once = (value: string, headers?: Record<string, string>): Promise<Reply> =>
      plinth.get(path(value, '&timeoutSeconds=1'), headers);
    const watches = await Promise.all(Array.from({ length: 100 }, (_, i) => open(`v${i}`)));
    try {
      let refused: Reply | undefined;
      await eventually(async () => (refused = await once('other')).status === 429, 'refused');
      assert.match(refused!.json.message, /would have 101000 terms and values: limit is 100000/);
      assert.equal((await once('v7')).status, 200, 'one of them is open already');
      assert.equal((await once('other', users.as('other'))).status, 200);
    } finally {
      for (const { close } of watches) close();
    }
    await eventually(async () => (await once('other')).status === 200, 'they have ended');
  });

  it('as requirements of a review keep turns of the event loop short', async () => {
    for (const kind of ['fieldSelector', 'labelSelector']) {
      const requirements = Array.from({ length: 16_000 }, (_, i) => ({
        ...{ key: `k${i}`, operator: 'NotIn', values: ['v'] },
      }));
      await turns.areShortDuring(async () => {
        const { json } = await review({ [kind]: { requirements } });
        assert.match(json.status.evaluationError, /too many terms: limit is 1000/);
      });
    }
  });
});
