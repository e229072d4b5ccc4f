import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';
import { DATABASES, furnish, make } from './world.ts';

const FIRST = 'demo.example.com/first';
const SECOND = 'demo.example.com/second';

describe('what holds a deletion, in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 1);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  async function held(name: string): Promise<Page> {
    await make(plinth, name, {}, { finalizers: [FIRST, SECOND] });
    await plinth.send('DELETE', `${DATABASES}/${name}`);
    return browser.open(`#/kind/demo.example.com/v1/databases/default/${name}?tab=holds`);
  }

  async function remove(page: Page, finalizer: string): Promise<void> {
    await page.getByRole('button', { name: `Remove ${finalizer}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  }

  it('is removed one finalizer after the other, until the object goes', async () => {
    const page = await held('two');
    await remove(page, FIRST);
    await page.getByRole('button', { name: `Remove ${FIRST}` }).waitFor({ state: 'detached' });
    const { json } = await plinth.get(`${DATABASES}/two`);
    assert.deepEqual(json.metadata.finalizers, [SECOND]);
    await remove(page, SECOND);
    await page.getByText('This object was deleted').waitFor();
    assert.equal((await plinth.get(`${DATABASES}/two`)).status, 404);
    assert.deepEqual(browser.errors, []);
  });

  it('is not removed from an object that has changed since it was shown', async () => {
    const page = await held('changed');
    await page.getByRole('button', { name: `Remove ${FIRST}` }).waitFor();
    await page.route(`**${DATABASES}/changed?*`, async (route) => {
      const change = { metadata: { annotations: { changed: 'meanwhile' } } };
      const type = { 'content-type': 'application/merge-patch+json' };
      await plinth.send('PATCH', `${DATABASES}/changed`, change, type);
      await route.continue();
    });
    await remove(page, FIRST);
    await page.getByRole('alert').getByText('The object has changed meanwhile').waitFor();
    const { json } = await plinth.get(`${DATABASES}/changed`);
    assert.deepEqual(json.metadata.finalizers, [FIRST, SECOND]);
  });

  it('is nothing any more when a namespace has gone', async () => {
    await made(plinth, '/api/v1/namespaces', { metadata: { name: 'emptied' } });
    const map = '/api/v1/namespaces/emptied/configmaps';
    await made(plinth, map, { metadata: { name: 'last', finalizers: [FIRST] } });
    await plinth.send('DELETE', '/api/v1/namespaces/emptied');
    const page = await browser.open('#/kind/core/v1/namespaces/-/emptied?tab=holds');
    await page.getByText('goes when the namespace is empty').waitFor();
    const type = { 'content-type': 'application/merge-patch+json' };
    await plinth.send('PATCH', `${map}/last`, { metadata: { finalizers: null } }, type);
    await page.getByText('This object was deleted').waitFor();
    await page.getByRole('heading', { name: 'Nothing holds the deletion' }).waitFor();
    assert.equal(await page.getByText('goes when the namespace is empty').count(), 0);
  });

  it('offers nothing to a user who may not change the object', async () => {
    const page = await held('seen');
    await eventually(
      async () => (await page.getByRole('button', { name: /^Remove demo/ }).count()) === 2,
      'the administrator may',
    );
    await page.route('**/selfsubjectrulesreviews*', async (route) => {
      const answer = await route.fetch();
      const review = await answer.json();
      const rule = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
      review.status.resourceRules = [rule];
      await route.fulfill({ response: answer, json: review });
    });
    await page.reload();
    await page.getByText(FIRST).waitFor();
    await eventually(
      async () => (await page.getByRole('button', { name: /^Remove demo/ }).count()) === 0,
      'the user may not',
    );
  });
});
