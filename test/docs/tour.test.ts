import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallTrace, type Place } from '../support/call-trace.ts';
import { INSPECTABLE } from '../support/inspector.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { ROOT } from './blocks.ts';

const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = (name: string, holderIdentity: string): object => ({
  apiVersion: 'coordination.cluster.io/v1',
  kind: 'Lease',
  metadata: { name },
  spec: { holderIdentity },
});
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const definition = (n: number): object => ({
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `lamps.home${n}.example.com` },
  spec: {
    group: `home${n}.example.com`,
    scope: 'Namespaced',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
});
/** A background loop may call a named function in between; then the request is sent again. */
const ATTEMPTS = 5;

/** The functions that a tour names, in the order of its text. */
function placesOf(tour: string): Place[] {
  const text = PAGE.split(/^###? /m).find((part) => part.startsWith(`Tour: ${tour}\n`)) ?? '';
  return [...text.matchAll(/`([\w/.-]+\.ts)` \(`(#?\w+)`\)/g)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
}

/** The request of each tour, for each attempt; later tours need what earlier ones have made. */
const REQUESTS: Readonly<Record<string, (plinth: Plinth, attempt: number) => Promise<unknown>>> = {
  'a create': (plinth, n) => plinth.send('POST', LEASES, lease(`leader-${n}`, 'one')),
  'a list': (plinth) => plinth.send('GET', `${LEASES}?labelSelector=tier%3Dgold`),
  'a server-side apply': (plinth, n) =>
    plinth.send(
      'PATCH',
      `${LEASES}/leader-1?fieldManager=me&force=true`,
      lease('leader-1', `two-${n}`),
      { 'content-type': 'application/apply-patch+yaml' },
    ),
  'a watch': (plinth) => plinth.send('GET', `${LEASES}?watch=1&timeoutSeconds=1&resourceVersion=1`),
  'a definition': (plinth, n) => plinth.send('POST', DEFINITIONS, definition(n)),
};

describe('docs/architecture.md', function () {
  let plinth: Plinth;
  let trace: CallTrace;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: INSPECTABLE });
    trace = await CallTrace.of(plinth);
  });
  after(async () => {
    trace.close();
    await plinth.dispose();
  });

  for (const [tour, request] of Object.entries(REQUESTS)) {
    it(`tells the way of ${tour} as it is`, async () => {
      const places = placesOf(tour);
      assert.ok(places.length >= 5, `the tour of ${tour} was found`);
      const told = [...new Set(places.map(({ file, name }) => `${file} ${name}`))];
      await trace.watch(places);
      let order: string[] = [];
      for (let attempt = 1; attempt <= ATTEMPTS && order.join() !== told.join(); attempt++) {
        await trace.visited();
        await request(plinth, attempt);
        const seen: string[] = [];
        await eventually(
          async () => {
            seen.push(...(await trace.visited()));
            return told.every((place) => seen.includes(place));
          },
          `calls of ${told.join(', ')}`,
        ).catch(() => undefined);
        order = [...new Set(seen)].filter((place) => told.includes(place));
      }
      assert.deepEqual(order, told);
    });
  }

  it('lists every background loop of the server', async () => {
    const listed = [...PAGE.matchAll(/^\| `([a-z-]+)`(?: \(every server\))? \|[^|]*\|[^|]*\|$/gm)];
    const { json } = await plinth.send('GET', '/debug/loops');
    const running = json.loops.map(({ name }: { name: string }) => name);
    // These two need a flag or another store.
    const names = [...new Set([...running, 'elections', 'compaction'])];
    assert.deepEqual(listed.map(([, name]) => name).sort(), names.sort());
  });
});
