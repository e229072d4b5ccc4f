import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';

const SPACE = '/api/v1/namespaces/default';
const MAPS = `${SPACE}/configmaps`;

describe('what a dialog of the console is about', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    for (const name of ['one', 'two', 'three', 'four', 'config']) {
      await made(plinth, MAPS, { metadata: { name } });
    }
    await made(plinth, `${SPACE}/secrets`, { metadata: { name: 'secret' } });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const select = (page: Page, name: string): Promise<void> =>
    page.getByRole('row', { name }).getByRole('checkbox').click();
  const bulk = (page: Page, action: string): Promise<void> =>
    page.getByRole('toolbar').getByRole('button', { name: action }).click();
  const gone = (page: Page, name: string): Promise<void> =>
    page.getByRole('row', { name }).waitFor({ state: 'detached' });

  it('stays the same while its rows go', async () => {
    const page = await browser.open('#/kind/core/v1/configmaps?namespace=default');
    await select(page, 'one');
    await bulk(page, 'Label');
    const label = page.getByRole('dialog', { name: 'Label 1 object' });
    await label.getByLabel('Label', { exact: true }).fill('tier');
    await plinth.send('DELETE', `${MAPS}/one`);
    await gone(page, 'one');
    assert.equal(await label.getByLabel('Label', { exact: true }).inputValue(), 'tier');
    await label.getByRole('button', { name: 'Write labels' }).click();
    await label.getByRole('alert').getByText('one: ').waitFor();
    await label.getByRole('button', { name: 'Cancel' }).click();
    await select(page, 'two');
    await bulk(page, 'Delete');
    const question = page.getByRole('dialog', { name: 'Delete ConfigMap two?' });
    await question.getByText('Nothing else goes with it.').waitFor();
    await plinth.send('DELETE', `${MAPS}/two`);
    await gone(page, 'two');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.waitFor({ state: 'detached' });
    // a selection alone asks nothing
    await select(page, 'three');
    await page.getByText('1 selected').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('goes with the table that Back leaves', async () => {
    const page = await browser.open('#/kind/core/v1/secrets?namespace=default');
    await page.getByRole('row', { name: 'secret' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'ConfigMap' }).first().click();
    await select(page, 'four');
    await bulk(page, 'Delete');
    await dialog(page).waitFor();
    await page.goBack();
    await select(page, 'secret');
    await page.getByText('1 selected').waitFor();
    assert.equal(await dialog(page).count(), 0);
  });

  it('goes with the object that Back leaves', async () => {
    const page = await browser.open('#/kind/core/v1/configmaps/default/config');
    await page.getByRole('heading', { name: 'ConfigMap config' }).waitFor();
    await page.evaluate("location.hash = '#/kind/core/v1/secrets/default/secret'");
    await page.getByRole('heading', { name: 'Secret secret' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'ConfigMap config' }).waitFor();
    assert.equal(await dialog(page).count(), 0);
  });
});

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: /^Delete / });
