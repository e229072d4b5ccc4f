import assert from 'node:assert/strict';
import { crd, CRDS } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { requestsUntil } from '../support/requests-until.ts';

/** From the answer to the creation on, one after the other: less than 100 ms of a machine without other work. */
const SERVED_WITHIN_REQUESTS = 20;
const ROUNDS = 20;

describe('a new definition', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  /** @returns requests from the answer to the creation until the first object is taken */
  async function delayOf(plural: string): Promise<number> {
    const kind = plural.replace(/^./, (c) => c.toUpperCase());
    const body = crd({ plural, kind, group: `${plural}.example.com` });
    assert.equal((await plinth.send('POST', CRDS, body)).status, 201);
    const object = { apiVersion: `${plural}.example.com/v1`, kind, metadata: { name: 'a' } };
    const path = `/apis/${plural}.example.com/v1/namespaces/default/${plural}`;
    return requestsUntil(
      async () => (await plinth.send('POST', path, object)).status === 201,
      `${plural} are served`,
    );
  }

  it(`serves at the latest ${SERVED_WITHIN_REQUESTS} requests after the answer to its creation`, async () => {
    const delays: number[] = [];
    for (let i = 0; i < ROUNDS; i++) delays.push(await delayOf(`things${i}`));
    delays.sort((a, b) => a - b);
    assert.ok(delays[ROUNDS / 2]! <= SERVED_WITHIN_REQUESTS, delays.join(' '));
  });

  it('says so in its conditions, in discovery and in OpenAPI', async () => {
    await delayOf('shown');
    const { json } = await plinth.get(`${CRDS}/shown.shown.example.com`);
    const conditions = Object.fromEntries(
      json.status.conditions.map(({ type, status, reason }: any) => [type, [status, reason]]),
    );
    assert.deepEqual(conditions, {
      NamesAccepted: ['True', 'NoConflicts'],
      Established: ['True', 'InitialNamesAccepted'],
    });
    assert.deepEqual(json.status.storedVersions, ['v1']);
    const group = await plinth.get('/apis/shown.example.com');
    assert.equal(group.json.preferredVersion.groupVersion, 'shown.example.com/v1');
    const list = await plinth.get('/apis/shown.example.com/v1');
    assert.equal(list.json.resources[0].name, 'shown');
    await eventually(
      async () => 'apis/shown.example.com/v1' in (await plinth.get('/openapi/v3')).json.paths,
      'the document is published',
    );
  });

  it('takes nothing any more while it is being deleted, and takes its objects with it', async () => {
    await delayOf('gone');
    const path = '/apis/gone.example.com/v1/namespaces/default/gone';
    const held = {
      apiVersion: 'gone.example.com/v1',
      kind: 'Gone',
      metadata: { name: 'held', finalizers: ['example.com/hold'] },
    };
    assert.equal((await plinth.send('POST', path, held)).status, 201);
    await plinth.send('DELETE', `${CRDS}/gone.gone.example.com`);
    await eventually(
      async () => (await plinth.get(`${path}/a`)).status === 404,
      'the object without finalizers goes',
    );
    const refused = await plinth.send('POST', path, { ...held, metadata: { name: 'late' } });
    assert.notEqual(refused.status, 201);
    const { json } = await plinth.get(`${CRDS}/gone.gone.example.com`);
    const terminating = json.status.conditions.find((c: any) => c.type === 'Terminating');
    assert.equal(terminating.status, 'True');
    const release = { metadata: { finalizers: null } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await plinth.send('PATCH', `${path}/held`, release, headers)).status, 200);
    await eventually(
      async () => (await plinth.get(`${CRDS}/gone.gone.example.com`)).status === 404,
      'the definition goes',
    );
    assert.equal((await plinth.get('/apis/gone.example.com/v1')).status, 404);
  });
});
