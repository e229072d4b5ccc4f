import assert from 'node:assert/strict';
import { AdmissionWebhooks, patchWith, Registrations } from '../support/admission-webhook.ts';
import { install, patched, APPLY, JSON_PATCH, MERGE } from '../support/custom.ts';
import type { Reply } from '../support/plinth.ts';
import { People, isRefused, rule, tokenOf } from './people.ts';

const VERBS = 'get create update patch delete deletecollection';

/** A role with resourceNames allows by the name in the path: the object must be that one. */
describe('a right to one name', () => {
  let people: People;
  let webhooks: AdmissionWebhooks;
  let things = '';
  const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
  const registrations = new Registrations(() => people.plinth);
  before(async () => {
    people = await People.start({ carol: [] });
    webhooks = await AdmissionWebhooks.start();
    things = await install(people.plinth, {
      plural: 'things',
      kind: 'Thing',
      version: { subresources: { status: {} } },
    });
    const names = 'mine mine/status';
    await people.role('default', 'mine', [
      rule(VERBS, 'test.example.com', 'things things/status', names),
      rule(VERBS, 'coordination.cluster.io', 'leases', names),
    ]);
    await people.grant('carol', 'mine', 'default', 'Role');
  });
  after(async () => {
    await people.dispose();
    await webhooks.close();
  });
  afterEach(async () => {
    await registrations.clear();
    for (const path of [`${things}/mine`, `${things}/other`, `${leases}/mine`]) {
      await people.plinth.send('DELETE', path);
    }
  });

  const thing = (metadata: object): object => ({
    apiVersion: 'test.example.com/v1',
    kind: 'Thing',
    metadata,
    spec: {},
  });
  const namesOf = async (path: string): Promise<string[]> =>
    (await people.plinth.get(path)).json.items.map((item: any) => item.metadata.name);
  const asCarol = (path: string, type: string, body: unknown): Promise<Reply> =>
    patched(people.plinth, path, type, body, { authorization: `Bearer ${tokenOf('carol')}` });

  it('allows a create of that name only', async () => {
    for (const body of [
      thing({ name: 'other' }),
      thing({ generateName: 'other-' }),
      thing({ generateName: 'mine' }),
      thing({}),
    ]) {
      for (const query of ['', '?dryRun=All']) {
        const reply = await people.as('carol', 'POST', `${things}/mine${query}`, body);
        assert.equal(reply.status, 400, reply.text);
        assert.match(
          reply.json.message,
          /the name of the object .* (does not match|undeterminable)/,
        );
      }
    }
    assert.deepEqual(await namesOf(things), []);
    const created = await people.as('carol', 'POST', `${things}/mine`, thing({ name: 'mine' }));
    assert.equal(created.status, 201, created.text);
    for (const path of [things, `${things}/other`]) {
      const reply = await people.as('carol', 'POST', path, thing({ name: 'mine' }));
      assert.ok(isRefused(reply), reply.text);
    }
  });

  it('creates and changes that one by PUT, patch and apply', async () => {
    await people.plinth.send('POST', things, thing({ name: 'mine' }));
    for (const part of ['', '/status']) {
      const path = `${things}/mine${part}`;
      const put = await people.as('carol', 'PUT', path, thing({ name: 'other' }));
      assert.equal(put.status, 400, put.text);
      const applied = await asCarol(`${path}?fieldManager=m`, APPLY, thing({ name: 'other' }));
      assert.equal(applied.status, 400, applied.text);
      for (const [type, body] of [
        [MERGE, { metadata: { name: 'other' } }],
        [JSON_PATCH, [{ op: 'replace', path: '/metadata/name', value: 'other' }]],
      ] as const) {
        const reply = await asCarol(path, type, body);
        assert.ok([400, 422].includes(reply.status), reply.text);
      }
    }
    const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };
    for (const metadata of [{ name: 'other' }, { generateName: 'other-' }]) {
      const body = { ...lease, metadata };
      assert.equal((await people.as('carol', 'PUT', `${leases}/mine`, body)).status, 400);
    }
    for (const path of [`${things}/new`, `${things}/new/status`]) {
      const reply = await asCarol(`${path}?fieldManager=m`, APPLY, thing({ name: 'mine' }));
      assert.ok(isRefused(reply), reply.text);
    }
    const { json } = await people.plinth.get(things);
    assert.deepEqual(
      json.items.map((item: any) => item.metadata.name),
      ['mine'],
    );
  });

  it('holds when a webhook renames the object', async () => {
    webhooks.on('/renames', () =>
      patchWith({ op: 'replace', path: '/metadata/name', value: 'other' }),
    );
    const rules = [
      {
        operations: ['CREATE'],
        apiGroups: ['*'],
        apiVersions: ['*'],
        resources: ['things', 'leases'],
      },
    ];
    await registrations.webhooks('mutating', 'renames', webhooks.hook('/renames', { rules }));
    const posted = await people.as('carol', 'POST', `${things}/mine`, thing({ name: 'mine' }));
    assert.equal(posted.status, 400, posted.text);
    const applied = await asCarol(`${things}/mine?fieldManager=m`, APPLY, thing({ name: 'mine' }));
    assert.equal(applied.status, 400, applied.text);
    const lease = { metadata: { name: 'mine' } };
    const put = await people.as('carol', 'PUT', `${leases}/mine`, lease);
    assert.equal(put.status, 400, put.text);
    assert.equal((await people.plinth.get(`${leases}/other`)).status, 404);
    assert.deepEqual(await namesOf(things), []);
  });

  it('does not allow deletecollection, even when no other object exists', async () => {
    await people.plinth.send('POST', things, thing({ name: 'mine' }));
    const [all, other] = await Promise.all(
      ['', '?fieldSelector=metadata.name%3Dother'].map((query) =>
        people.as('carol', 'DELETE', things + query),
      ),
    );
    assert.ok(isRefused(all!) && isRefused(other!));
    assert.deepEqual(await namesOf(things), ['mine']);
  });
});
