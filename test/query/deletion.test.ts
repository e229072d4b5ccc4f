import assert from 'node:assert/strict';
import { People } from '../access/people.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const QUESTIONS = [
  'filter=object.metadata.name%20==%20"s"',
  'orderBy=metadata.name',
  'fieldSelector=metadata.labels["x"]%3Dy',
  'fieldSelector=metadata.name%20in%20(s)',
];

describe('deletions of collections', () => {
  let people: People;
  before(async () => {
    people = await People.start({ cleaner: [], keeper: [] });
    const rule = { apiGroups: [''], resources: ['secrets'] };
    await people.clusterRole('cleaner', [{ ...rule, verbs: ['deletecollection'] }]);
    await people.clusterRole('keeper', [{ ...rule, verbs: ['deletecollection', 'list'] }]);
    await people.grant('cleaner', 'cleaner');
    await people.grant('keeper', 'keeper');
    await people.make('POST', SECRETS, { metadata: { name: 's' }, stringData: { p: 'secret' } });
  });
  after(() => people.dispose());

  it('by values need the right to list: a dry run would tell what the objects hold', async () => {
    for (const question of QUESTIONS) {
      const path = `${SECRETS}?dryRun=All&${question}`;
      const refused = await people.as('cleaner', 'DELETE', path);
      assert.equal(refused.status, 403, `${question}: ${refused.text}`);
      assert.match(refused.json.message, /cannot list resource "secrets"/);
      const allowed = await people.as('keeper', 'DELETE', path);
      assert.equal(allowed.status, 200, `${question}: ${allowed.text}`);
    }
  });

  it('by labels and declared fields need the right to delete alone', async () => {
    for (const selector of ['', 'labelSelector=a%3Db', 'fieldSelector=type%3DOpaque']) {
      const reply = await people.as('cleaner', 'DELETE', `${SECRETS}?dryRun=All&${selector}`);
      assert.equal(reply.status, 200, `${selector}: ${reply.text}`);
    }
  });

  it('refuse count, so a count never deletes', async () => {
    for (const question of ['count=true', 'groupBy=type']) {
      const reply = await people.as('keeper', 'DELETE', `${SECRETS}?${question}`);
      assert.equal(reply.status, 400, reply.text);
      const watch = await people.plinth.get(`${SECRETS}?watch=1&${question}`);
      assert.equal(watch.status, 400, watch.text);
    }
    assert.equal((await people.plinth.get(`${SECRETS}/s`)).status, 200);
  });
});
