import assert from 'node:assert/strict';
import type { Reply } from '../support/plinth.ts';
import { isRefused, People, rule } from './people.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/team/leases';
const GROUP = 'coordination.cluster.io';
const PATCHES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** The garbage collector deletes what its owners leave behind: who names owners, deletes. */
describe('CVE-2025-5187: deletion by way of owners', () => {
  let people: People;
  before(async () => {
    const flags = ['--enable-admission-plugins', 'OwnerReferencesPermissionEnforcement'];
    people = await People.start({ alice: [], bob: [], carol: [] }, { args: flags });
    await people.namespace('team');
    const may = async (user: string, ...rules: object[]): Promise<void> => {
      await people.role('team', user, rules);
      await people.grant(user, user, 'team', 'Role');
    };
    const writes = rule('get create update patch', GROUP, 'leases');
    await may('alice', writes);
    await may('bob', writes, rule('delete', GROUP, 'leases'));
    await may(
      'carol',
      writes,
      rule('delete', GROUP, 'leases'),
      rule('update', GROUP, 'leases/finalizers', 'owner'),
    );
    for (const name of ['owner', 'other', 'child']) {
      await people.make('POST', LEASES, { metadata: { name, uid: '' } });
    }
  });
  after(() => people.dispose());

  const ownerOf = async (name: string, more: object = {}): Promise<object> => {
    const { metadata, apiVersion, kind } = (await people.plinth.get(`${LEASES}/${name}`)).json;
    return { apiVersion, kind, name, uid: metadata.uid, ...more };
  };
  const gone = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'never-was' };

  it('a user who may change an object but not delete it cannot set an owner in any way', async () => {
    const { json: child } = await people.plinth.get(`${LEASES}/child`);
    const metadata = { ...child.metadata, ownerReferences: [gone] };
    const { apiVersion, kind } = child;
    const ways: [string, Promise<Reply>][] = [
      ['PUT', people.as('alice', 'PUT', `${LEASES}/child`, { ...child, metadata })],
      [
        'merge',
        people.as(
          ...([
            'alice',
            'PATCH',
            `${LEASES}/child`,
            { metadata: { ownerReferences: [gone] } },
          ] as const),
          { 'content-type': PATCHES.merge },
        ),
      ],
      [
        'json',
        people.as(
          ...(['alice', 'PATCH', `${LEASES}/child`] as const),
          [{ op: 'add', path: '/metadata/ownerReferences', value: [gone] }],
          { 'content-type': PATCHES.json },
        ),
      ],
      [
        'apply',
        people.as(
          ...(['alice', 'PATCH', `${LEASES}/child?fieldManager=m`] as const),
          { apiVersion, kind, metadata: { name: 'child', ownerReferences: [gone] } },
          { 'content-type': PATCHES.apply },
        ),
      ],
    ];
    for (const [what, reply] of ways) {
      const { status, json } = await reply;
      assert.equal(status, 403, what);
      assert.match(json.message, /cannot set an ownerRef on a resource you can't delete/);
    }
    const { json: after } = await people.plinth.get(`${LEASES}/child`);
    assert.deepEqual(after, child);
    const labels = await people.as(
      'alice',
      'PATCH',
      `${LEASES}/child`,
      { metadata: { labels: { a: 'b' } } },
      { 'content-type': PATCHES.merge },
    );
    assert.equal(labels.status, 200, 'everything else may be changed');
    assert.ok(isRefused(await people.as('alice', 'DELETE', `${LEASES}/child`)));
  });

  it('a user who may delete an object, or creates it, can set owners', async () => {
    const owner = await ownerOf('owner');
    const patch = { metadata: { ownerReferences: [owner] } };
    const type = { 'content-type': PATCHES.merge };
    const set = await people.as('bob', 'PATCH', `${LEASES}/child`, patch, type);
    assert.equal(set.status, 200, set.text);
    const labelled = { ...set.json, metadata: { ...set.json.metadata, labels: { c: 'd' } } };
    const same = await people.as('alice', 'PUT', `${LEASES}/child`, labelled);
    assert.equal(same.status, 200, 'owners that stay are not set');
    const taken = { metadata: { ownerReferences: null } };
    assert.equal((await people.as('alice', 'PATCH', `${LEASES}/child`, taken, type)).status, 403);
    assert.equal((await people.as('bob', 'PATCH', `${LEASES}/child`, taken, type)).status, 200);
    const born = { metadata: { name: 'born', ownerReferences: [owner] } };
    assert.equal((await people.as('alice', 'POST', LEASES, born)).status, 201);
  });

  it('blocking the deletion of an owner needs the right to its finalizers', async () => {
    const create = async (user: string, name: string, owner: object): Promise<Reply> =>
      people.as(user, 'POST', LEASES, { metadata: { name, ownerReferences: [owner] } });
    const blocking = await ownerOf('owner', { blockOwnerDeletion: true });
    const refused = await create('bob', 'blocks', blocking);
    assert.equal(refused.status, 403);
    assert.match(refused.json.message, /cannot set blockOwnerDeletion if an ownerReference/);
    const allowed = await create('carol', 'blocks', blocking);
    assert.equal(allowed.status, 201, allowed.text);
    const other = await ownerOf('other', { blockOwnerDeletion: true });
    assert.equal((await create('carol', 'blocks-other', other)).status, 403);
    const second = { ...blocking, apiVersion: 'coordination.k8s.io/v1' };
    assert.equal((await create('carol', 'blocks-by-alias', second)).status, 201);
    const unknown = { ...blocking, apiVersion: 'example.com/v1' };
    assert.match((await create('carol', 'blocks-unknown', unknown)).json.message, /RESTMapping/);
    const kept = await people.as('bob', 'PUT', `${LEASES}/blocks`, {
      ...allowed.json,
      metadata: { ...allowed.json.metadata, ownerReferences: [{ ...blocking, controller: true }] },
    });
    assert.equal(kept.status, 200, 'what was blocked before may stay so');
    assert.equal(
      (
        await people.plinth.send('POST', LEASES, {
          metadata: { name: 'root', ownerReferences: [other] },
        })
      ).status,
      201,
    );
  });
});
