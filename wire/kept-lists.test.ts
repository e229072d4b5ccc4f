import assert from 'node:assert/strict';
import { EVERYTHING } from '../registry/list-options.ts';
import { list } from '../registry/list.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { Target } from '../registry/served-resource.ts';
import { World } from '../test/support/world.ts';
import { keptRuns } from './kept-runs.ts';
import { respondList } from './respond-list.ts';
import { bodyOf, testExchange } from './testing.ts';

const OBJECTS = 1_300;
const GROUP = 'coordination.cluster.io';

describe('lists of leaves that are kept', () => {
  const world = new World();
  let parts: RegistryParts;
  let target: Target;
  let change: (name: string) => Promise<unknown>;

  before(async () => {
    const server = await world.server();
    await server.namespace('a');
    const annotations = { padding: 'x'.repeat(500) };
    const names = Array.from({ length: OBJECTS }, (_, i) => `n${i}`);
    await Promise.all(
      names.map((name) =>
        server.create(GROUP, 'leases', { metadata: { name, namespace: 'a', annotations } }),
      ),
    );
    parts = server.parts;
    target = { resource: server.resource(GROUP, 'leases'), namespace: 'a', name: '' };
    change = (name) =>
      server.update({ group: GROUP, resource: 'leases', namespace: 'a', name }, (object) => {
        object.spec = { holderIdentity: 'another' };
      });
  });

  after(() => world.stop());

  /** The body of a list, and the length that it says. */
  async function answered(limit: number): Promise<{ text: string; said: string | undefined }> {
    const result = await list(parts, target, { ...EVERYTHING, limit });
    const exchange = testExchange({ headers: { accept: 'application/json' } });
    const response = await respondList(exchange, parts, target, result);
    const said = response.headers['content-length'];
    return { text: (await bodyOf(response)).toString(), said: said as string | undefined };
  }

  for (const limit of [0, 300, 500, 1_000]) {
    it(`are byte for byte what they were before, limit=${limit}`, async () => {
      const { text: first } = await answered(limit);
      await answered(limit);
      const before = keptRuns.bytes;
      assert.ok(before > 0);
      const { text, said } = await answered(limit);
      assert.ok(text === first);
      assert.equal(said, String(Buffer.byteLength(first)));
      assert.equal((JSON.parse(text) as { items: unknown[] }).items.length, limit || OBJECTS);
    });
  }

  it('show a write that came between them', async () => {
    for (let i = 0; i < 3; i++) await answered(0);
    await change('n700');
    for (let i = 0; i < 3; i++) {
      const { text } = await answered(0);
      const { items } = JSON.parse(text) as {
        items: { metadata: { name: string }; spec?: { holderIdentity?: string } }[];
      };
      assert.equal(items.length, OBJECTS);
      const changed = items.filter(({ spec }) => spec?.holderIdentity === 'another');
      assert.deepEqual(
        changed.map(({ metadata }) => metadata.name),
        ['n700'],
      );
    }
  });
});
