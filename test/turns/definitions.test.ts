import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * What the authors of definitions can cause holds the event loop no longer than
 * anything else: definitions, rules and patterns are judged in steps, and so are
 * the objects that are judged by them. Measured as in turns.test.ts.
 */
const GROUP = 'turns.example.com';
const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const PROTOBUF = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };

type Json = Record<string, unknown>;

const fields = <T>(count: number, value: (i: number) => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value(i)]));
const objectOf = (count: number, schema: (i: number) => Json): Json => ({
  type: 'object',
  properties: fields(count, schema),
});

function definition(plural: string, spec: Json): Json {
  return {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular: plural, kind: plural, listKind: `${plural}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

describe('turns of the event loop, for definitions and their objects', function () {
  // large requests, each several times: on a slow machine that takes its time
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => (plinth = await Plinth.start({ nodeArgs: turns.nodeArgs })));
  after(() => plinth.dispose());

  async function define(plural: string, spec: Json): Promise<string> {
    const { status, text } = await plinth.send('POST', CRDS, definition(plural, spec));
    assert.equal(status, 201, text.slice(0, 300));
    const path = `/apis/${GROUP}/v1/namespaces/default/${plural}`;
    while ((await plinth.get(path)).status !== 200) await sleep(50);
    return path;
  }
  const object = (plural: string, name: string, spec: unknown): Json => ({
    apiVersion: `${GROUP}/v1`,
    kind: plural,
    metadata: { name },
    spec,
  });

  it('are short while a definition is judged, whatever it is full of', async () => {
    const dryRun = `${CRDS}?dryRun=All`;
    const rule = (i: number, k: number): Json => ({
      rule: `self.startsWith('a${i}') || self.size() > ${k} || self.matches('^a+$')`,
    });
    for (const spec of [
      () => objectOf(20_000, () => ({ type: 'string' })),
      () => objectOf(9_000, () => ({ type: 'string', default: 'x', pattern: '^a*x$' })),
      // other patterns each time: those that were compiled are remembered
      (attempt: number) =>
        objectOf(20, (i) => ({
          type: 'string',
          pattern: `${'\\pL'.repeat(300)}${attempt}x${i}`,
        })),
      () =>
        objectOf(300, (i) => ({
          type: 'string',
          maxLength: 100,
          'x-cluster-validations': Array.from({ length: 6 }, (_, k) => rule(i, k)),
        })),
      () => ({ type: 'string', enum: Array.from({ length: 40_000 }, (_, i) => `value-${i}`) }),
    ]) {
      await turns.areShortFor(201, (attempt) =>
        plinth.send('POST', dryRun, definition('judged', spec(attempt))),
      );
    }
  });

  it('are short while a definition is refused for its size, or for its alternatives', async () => {
    let doubled: Json = { minLength: 1 };
    for (let i = 0; i < 13; i++) doubled = { anyOf: [doubled, doubled] };
    const text = 'x'.repeat(150);
    for (const [code, spec] of [
      [422, { type: 'object', allOf: Array.from({ length: 20_000 }, () => ({ required: ['a'] })) }],
      [422, { type: 'string', ...doubled }],
      [413, objectOf(14_000, () => ({ type: 'string', description: text }))],
    ] as const) {
      await turns.areShortFor(code, () => plinth.send('POST', CRDS, definition('refused', spec)));
    }
  });

  it('are short while a large definition is stored, changed, served and published', async () => {
    const path = `${CRDS}/large.${GROUP}`;
    await define(
      'large',
      objectOf(20_000, () => ({ type: 'string' })),
    );
    const change = (attempt: number): Promise<Reply> =>
      plinth.send('PATCH', path, { spec: { names: { shortNames: [`s${attempt}`] } } }, MERGE_TYPE);
    await turns.areShortFor(200, change);
    await turns.areShortFor(200, async (attempt) => {
      // what was made is remembered until the definition changes
      await change(attempt + 10);
      await plinth.get(`/openapi/v3/apis/${GROUP}/v1`);
      await plinth.get('/openapi/v2');
      await plinth.get('/openapi/v2', PROTOBUF);
      return plinth.get(`/apis/${GROUP}/v1/namespaces/default/large`);
    });
  });

  it('are short while an object of very many fields is written and read', async () => {
    const spec = fields(20_000, () => 'x');
    const path = `/apis/${GROUP}/v1/namespaces/default/large`;
    await turns.areShortFor(201, () =>
      plinth.send('POST', `${path}?dryRun=All`, object('large', 'o', spec)),
    );
    await turns.areShortFor(201, (attempt) =>
      plinth.send('POST', path, object('large', `o${attempt}`, spec)),
    );
    await turns.areShortFor(200, () => plinth.get(`${path}/o0`));
    const applied = `${path}/o0?fieldManager=m&force=true`;
    await turns.areShortFor(200, (attempt) => {
      const changed = object('large', 'o0', { ...spec, p0: `${attempt}` });
      return plinth.send('PATCH', applied, changed, APPLY_TYPE);
    });
  });

  it('are short when many values are not among many that are listed', async () => {
    const values = Array.from({ length: 40_000 }, (_, i) => `value-${i}`);
    const spec = { type: 'array', items: { type: 'string', enum: values } };
    const path = await define('listed', spec);
    const wrong = values.map((value) => `${value}x`);
    const { json, text } = await turns.areShortFor(422, () =>
      plinth.send('POST', path, object('listed', 'o', wrong)),
    );
    assert.match(json.message, /supported values: "value-0", .* and \d+ more/);
    assert.ok(text.length < 512 * 1024, `${text.length}`);
    await turns.areShortFor(201, () =>
      plinth.send('POST', `${path}?dryRun=All`, object('listed', 'o', values.slice(0, 20_000))),
    );
  });
});
