import assert from 'node:assert/strict';
import { eventually } from '../support/plinth.ts';
import { isRefused, People, rule } from './people.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/team/leases';
const THINGS = '/apis/example.com/v1/namespaces/team/things';

/** Source: behaviours 5.3. */
describe('creating by another verb than create', () => {
  let people: People;
  before(async () => {
    people = await People.start({ carol: [], dave: [] });
    await people.namespace('team');
    await people.make(
      'POST',
      '/apis/apiextensions.cluster.io/v1/customresourcedefinitions',
      things,
    );
    await eventually(async () => (await people.plinth.get(THINGS)).status === 200, 'things');
    const changing = [
      rule('update patch', 'coordination.cluster.io', 'leases'),
      rule('patch', 'example.com', 'things'),
    ];
    await people.role('team', 'changing', changing);
    await people.role('team', 'creating', [
      rule('create', 'coordination.cluster.io', 'leases'),
      rule('create', 'example.com', 'things'),
    ]);
    await people.grant('carol', 'changing', 'team', 'Role');
    await people.grant('dave', 'changing', 'team', 'Role');
    await people.grant('dave', 'creating', 'team', 'Role');
  });
  after(() => people.dispose());

  const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', spec: {} };
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing' };
  const ways: [string, (user: string, name: string) => ReturnType<People['as']>][] = [
    [
      'a PUT',
      (user, name) => people.as(user, 'PUT', `${LEASES}/${name}`, { ...lease, metadata: { name } }),
    ],
    [
      'an apply',
      (user, name) =>
        people.as(
          user,
          'PATCH',
          `${LEASES}/${name}?fieldManager=m`,
          { ...lease, metadata: { name } },
          APPLY,
        ),
    ],
    [
      'an apply of a custom resource',
      (user, name) =>
        people.as(
          user,
          'PATCH',
          `${THINGS}/${name}?fieldManager=m`,
          { ...thing, metadata: { name } },
          APPLY,
        ),
    ],
  ];

  for (const [i, [way, send]] of ways.entries()) {
    it(`${way} needs the right to create what does not exist`, async () => {
      const name = `new-${i}`;
      const refused = await send('carol', name);
      assert.ok(isRefused(refused), refused.text);
      assert.match(refused.json.message, /"carol" cannot create resource "(leases|things)"/);
      assert.equal(refused.json.details.name, name);
      assert.equal((await send('dave', name)).status, 201);
      assert.ok(!isRefused(await send('carol', name)), 'to change it, carol needs no more');
    });
  }

  it('a dry run needs it, too', async () => {
    const path = `${LEASES}/never?dryRun=All`;
    const reply = await people.as('carol', 'PUT', path, { ...lease, metadata: { name: 'never' } });
    assert.ok(isRefused(reply), reply.text);
  });
});

const things = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};
