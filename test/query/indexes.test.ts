import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';

const GROUP = 'test.example.com';
const OBJECTS = 620;
const AT_ONCE = 20;

/** So few objects that they are looked through when nothing is indexed, and so many that they are. */
describe('reads that an index answers', function () {
  let plinth: Plinth;
  let path: string;
  before(async () => {
    plinth = await Plinth.start();
    path = await install(plinth, { plural: 'parts', kind: 'Part', versions: VERSIONS });
    for (let from = 0; from < OBJECTS; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => write(from + i)));
    }
  });
  after(() => plinth.dispose());

  async function write(i: number): Promise<void> {
    const reply = await plinth.send('POST', path, {
      apiVersion: `${GROUP}/v1`,
      kind: 'Part',
      metadata: { name: `p${i}`, labels: i % 9 === 0 ? {} : { tier: `t${i % 20}` } },
      spec: {
        color: `c${i % 25}`,
        ...(i % 7 === 0 ? {} : { size: (i * 37) % 400, mark: i % 2 === 0 }),
      },
    });
    assert.equal(reply.status, 201, reply.text);
  }

  async function change(name: string, patch: object): Promise<void> {
    const type = { 'content-type': 'application/merge-patch+json' };
    const reply = await plinth.send('PATCH', `${path}/${name}`, patch, type);
    assert.equal(reply.status, 200, reply.text);
  }

  async function remove(name: string): Promise<void> {
    const reply = await plinth.send('DELETE', `${path}/${name}`);
    assert.equal(reply.status, 200, reply.text);
  }

  const items = async (query: string): Promise<any[]> => {
    const reply = await plinth.get(`${path}?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json.items;
  };
  const namesOf = (list: any[]): string[] => list.map((item) => item.metadata.name);

  /** What `holds` leaves of all objects, in key order. */
  async function selected(holds: (item: any) => boolean): Promise<string[]> {
    return namesOf((await items('')).filter(holds));
  }

  async function indexes(): Promise<number> {
    const { text } = await plinth.get('/metrics');
    return Number(/^plinth_replica_indexes (\d+)$/m.exec(text)?.[1]);
  }

  const QUESTIONS: readonly [query: string, holds: (item: any) => boolean][] = [
    ['labelSelector=tier%3Dt3', ({ metadata }) => metadata.labels?.tier === 't3'],
    ['labelSelector=tier+in+(t3,t4),tier!%3Dt4', ({ metadata }) => metadata.labels?.tier === 't3'],
    ['labelSelector=tier', ({ metadata }) => metadata.labels?.tier !== undefined],
    ['fieldSelector=spec.color%3Dc3', ({ spec }) => spec.color === 'c3'],
    ['fieldSelector=spec.color+in+(c3,c4)', ({ spec }) => ['c3', 'c4'].includes(spec.color)],
    ['fieldSelector=spec.size%3D37', ({ spec }) => spec.size === 37],
    ['fieldSelector=spec.size', ({ spec }) => spec.size !== undefined],
    [
      'fieldSelector=spec.mark%3Dtrue,spec.color%3Dc3&labelSelector=tier%3Dt3',
      ({ spec, metadata }) =>
        spec.mark === true && spec.color === 'c3' && metadata.labels?.tier === 't3',
    ],
  ];

  for (const [query, holds] of QUESTIONS) {
    it(`${query}: returns the same objects before and after the index exists, while objects change`, async () => {
      for (let round = 0; round < 6; round++) {
        assert.deepEqual(namesOf(await items(query)), await selected(holds));
        const patch = { metadata: { labels: { tier: 't3' } }, spec: { color: 'c3', size: 37 } };
        await change(`p${round}`, patch);
        assert.deepEqual(namesOf(await items(query)), await selected(holds));
        await remove(`p${round}`);
        await write(round);
      }
      assert.ok((await indexes()) > 0);
    });
  }

  it('pages go on at their revision', async () => {
    const query = 'labelSelector=tier%3Dt5&limit=5';
    const whole = namesOf(await items('labelSelector=tier%3Dt5'));
    const paged: string[] = [];
    let next = '';
    do {
      const { json } = await plinth.get(`${path}?${query}${next}`);
      paged.push(...namesOf(json.items));
      next = json.metadata.continue
        ? `&continue=${encodeURIComponent(json.metadata.continue)}`
        : '';
      await remove(whole[paged.length - 1] ?? '');
    } while (next !== '');
    assert.deepEqual(paged, whole);
  });

  it('pages in an order are the same before and after it is indexed', async () => {
    const sizeOf = ({ spec }: any): number => spec.size ?? Infinity;
    for (let round = 0; round < 5; round++) {
      const all = await items('');
      const expected = namesOf(
        all.sort((a, b) => sizeOf(a) - sizeOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1)),
      );
      const paged: string[] = [];
      let next = '';
      do {
        const { json } = await plinth.get(`${path}?orderBy=spec.size&limit=100${next}`);
        paged.push(...namesOf(json.items));
        const { continue: token, remainingItemCount: left = 0 } = json.metadata;
        assert.equal(left, expected.length - paged.length);
        next = token ? `&continue=${encodeURIComponent(token)}` : '';
        // its place at the revision of the first page counts
        const patch = { spec: { size: round * 50 } };
        await change(`p${100 + round}`, patch);
      } while (next !== '');
      assert.deepEqual(paged, expected);
    }
  });
});

const VERSIONS = [
  {
    name: 'v1',
    served: true,
    storage: true,
    selectableFields: [{ jsonPath: '.spec.color' }],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              color: { type: 'string' },
              size: { type: 'integer' },
              mark: { type: 'boolean' },
            },
          },
        },
      },
    },
  },
];
