import assert from 'node:assert/strict';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { addUser, grant } from './users.ts';
import { furnish, TABLE } from './world.ts';

describe('a user with few rights in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  let kubeconfig: string;

  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 3);
    kubeconfig = addUser(plinth, 'ann');
    await grant(plinth, 'ann', 'default', [
      {
        apiGroups: ['demo.example.com'],
        resources: ['databases'],
        verbs: ['get', 'list', 'watch'],
      },
    ]);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(async () => {
    await plinth.dispose();
  });

  it('sees what is allowed, and is offered nothing else', async () => {
    const page = await browser.open(`${TABLE}?namespace=default`, { kubeconfig });
    await page.getByRole('link', { name: 'db-000' }).waitFor();
    await page.getByRole('link', { name: 'Secret', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('link', { name: 'Create' }).count(), 0);
    await page.getByLabel('Select db-000').click();
    await page.getByText('1 selected').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Label' }).count(), 0);
    await page.getByRole('link', { name: 'db-000' }).click();
    await page.getByRole('link', { name: 'YAML' }).click();
    await page.getByText('engine:').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
  });

  it('reads before it types that it may not create', async () => {
    const page = await browser.open('#/new/core/v1/secrets?namespace=default', { kubeconfig });
    await page.getByText('You may not create this in default').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Review' }).count(), 0);
  });

  it('reads why something is refused, and what to do', async () => {
    const page = await browser.open('#/kind/core/v1/secrets?namespace=default', { kubeconfig });
    await page.getByText('You may not see this').waitFor();
    await page.getByText('User "ann" cannot list resource "secrets"').waitFor();
    await page.goto(`${new URL(page.url()).origin}/console/#/access?namespace=default`);
    await page.getByRole('rowheader', { name: 'Database' }).waitFor();
    assert.equal(await page.getByRole('rowheader', { name: 'ConfigMap' }).count(), 0);
    assert.deepEqual(browser.errors, []);
  });
});
