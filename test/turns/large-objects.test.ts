import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * An object or definition at the limits is written over several turns of the
 * event loop, and one beyond them is refused before it is worked on. Measured
 * by the CPU of the loop's own thread.
 */
const GROUP = 'large.example.com';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };

const texts = (n: number, prefix = 'i'): string[] =>
  Array.from({ length: n }, (_, i) => `${prefix}${i}`);

function definition(plural: string, spec: object): object {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular: plural, kind: plural, listKind: `${plural}list` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const path = (plural: string): string => `/apis/${GROUP}/v1/namespaces/default/${plural}`;
const object = (kind: string, name: string, spec: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name },
  spec,
});

const SETS = {
  type: 'object',
  properties: {
    items: { type: 'array', 'x-cluster-list-type': 'set', items: { type: 'string' } },
    text: { type: 'string' },
  },
};

describe('large objects', () => {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    await define('sets', SETS);
  });
  after(() => plinth.dispose());

  async function define(plural: string, spec: object): Promise<void> {
    const { status, text } = await plinth.send('POST', DEFINITIONS, definition(plural, spec));
    assert.equal(status, 201, text);
    while ((await plinth.send('GET', path(plural))).status !== 200);
  }
  it('with sets of 10,000 items are created and applied in short turns', async () => {
    const items = texts(10_000);
    await turns.areShortFor(201, (i) =>
      plinth.send('POST', path('sets'), object('sets', `s${i}`, { items })),
    );
    await turns.areShortFor(200, (i) =>
      plinth.send(
        'PATCH',
        `${path('sets')}/s${i}?fieldManager=m`,
        JSON.stringify(object('sets', `s${i}`, { items })),
        APPLY_TYPE,
      ),
    );
  });

  it('with more items in sets are refused in a short turn, with the list and the limit', async () => {
    const send = (n: number): Promise<Reply> =>
      plinth.send('POST', path('sets'), object('sets', 'more', { items: texts(n) }));
    await turns.areShortFor(422, () => send(90_000));
    const { json } = await send(10_001);
    assert.deepEqual(json.details.causes, [
      {
        reason: 'FieldValueTooMany',
        message: 'Too many: 10001: must have at most 10000 items',
        field: 'spec.items',
      },
    ]);
    const patch = { spec: { items: texts(10_001, 'p') } };
    const patched = await plinth.send('PATCH', `${path('sets')}/s0`, patch, MERGE_TYPE);
    assert.equal(patched.status, 422);
  });

  it('that the store does not take are refused before anything else is said of them', async () => {
    const text = 'x'.repeat(1_600_000);
    // not valid either: a set has an item twice
    const spec = { text, items: ['a', 'a'] };
    const created = await plinth.send('POST', path('sets'), object('sets', 'big', spec));
    assert.equal(created.status, 413, created.text.slice(0, 300));
    const patched = await plinth.send('PATCH', `${path('sets')}/s0`, { spec }, MERGE_TYPE);
    assert.equal(patched.status, 413, patched.text.slice(0, 300));
  });

  it('that are definitions of 4,000 properties, or belong to one, are written in short turns', async () => {
    const properties = Object.fromEntries(texts(4_000).map((name) => [name, { type: 'string' }]));
    const spec = { type: 'object', properties };
    await turns.areShortFor(201, (i) =>
      plinth.send('POST', DEFINITIONS, definition(`wide${i}`, spec)),
    );
    while ((await plinth.send('GET', path('wide0'))).status !== 200);
    const values = Object.fromEntries(texts(4_000).map((name) => [name, 'x']));
    await turns.areShortFor(201, (i) =>
      plinth.send('POST', path('wide0'), object('wide0', `o${i}`, values)),
    );
  });

  it('have no rule with a syntax tree of more than 10,000 nodes, which is said in a short turn', async () => {
    const rule = Array.from({ length: 12_000 }, () => 'true').join('&&');
    const spec = { type: 'object', 'x-cluster-validations': [{ rule }] };
    await turns.areShortFor(422, () => plinth.send('POST', DEFINITIONS, definition('rules', spec)));
    const { json } = await plinth.send('POST', DEFINITIONS, definition('rules', spec));
    assert.match(json.message, /expression node limit exceeded: 10000/);
  });
});
