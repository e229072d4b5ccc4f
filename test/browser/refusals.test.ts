import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const OBJECT = '#/kind/core/v1/configmaps/default/kept';

describe('what the console says when something cannot be', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await made(plinth, MAPS, { metadata: { name: 'kept' } });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const focused = (page: Page): Promise<unknown> =>
    page.evaluate('document.activeElement.textContent');

  it('leaves the focus where it was while a deletion is asked for, and is refused', async () => {
    const page = await browser.open(OBJECT);
    let asked = 0;
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**${MAPS}/kept`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      asked++;
      await isAnswered;
      const json = { kind: 'Status', code: 403, message: 'a webhook keeps it' };
      return route.fulfill({ status: 403, json });
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing else goes with it.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Deleting…' }).waitFor();
    assert.equal(await focused(page), 'Deleting…');
    await page.keyboard.press('Enter');
    answer();
    await dialog.getByRole('alert').getByText('a webhook keeps it').waitFor();
    assert.equal(await focused(page), 'Delete');
    assert.equal(asked, 1);
    await page.keyboard.press('Enter');
    await eventually(() => asked === 2, 'it can be tried again');
  });

  it('says in words that the object is gone that is edited, and keeps what was typed', async () => {
    await made(plinth, MAPS, { metadata: { name: 'brief' } });
    const page = await browser.open(`${OBJECT.replace('kept', 'brief')}?tab=edit`);
    const editor = page.locator('.cm-content');
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('data: {typed: here}');
    await plinth.send('DELETE', `${MAPS}/brief`);
    await page.getByText('This object was deleted').waitFor();
    const says = page.getByText('configmaps "brief" not found', { exact: true });
    for (const button of ['Review changes', 'Start again']) {
      await page.getByRole('button', { name: button }).click();
      await says.waitFor();
      assert.match(await editor.innerText(), /typed: here/);
    }
    await page.getByRole('navigation').getByRole('link', { name: 'YAML' }).click();
    await says.waitFor();
    assert.deepEqual(browser.errors, []);
  });

  it('shows all of a kind without namespaces, whichever is chosen', async () => {
    const page = await browser.open('#/kind/core/v1/namespaces?namespace=default');
    const row = page.getByRole('row', { name: 'default' });
    await row.waitFor();
    await page.goto(`${plinth.url}/console/#/kind/core/v1/namespaces`);
    await row.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('namespace default');
    await page.getByRole('option', { name: 'Namespace default' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor();
    assert.equal(new URL(page.url()).hash, '#/kind/core/v1/namespaces');
  });

  it('shows the summary where the address names no part of the object', async () => {
    const page = await browser.open(`${OBJECT}?tab=nonsense`);
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'Summary' }).getAttribute('aria-current'),
      'page',
    );
  });

  it('knows a namespace that is deleted while it is chosen', async () => {
    const remove = (): Promise<unknown> => plinth.send('DELETE', '/api/v1/namespaces/short');
    const make = (): Promise<void> =>
      made(plinth, '/api/v1/namespaces', { metadata: { name: 'short' } });
    const missing = (page: Page) =>
      page.getByRole('heading', { name: 'There is no namespace short' });
    await make();
    const table = await browser.open('#/kind/core/v1/configmaps?namespace=short');
    await table.getByRole('heading', { name: 'No ConfigMap yet in short' }).waitFor();
    const overview = await browser.open('#/overview?namespace=short');
    await overview.getByText('kinds without objects').waitFor();
    await remove();
    await missing(table).waitFor();
    await missing(overview).waitFor();
    await make();
    await table.getByRole('heading', { name: 'No ConfigMap yet in short' }).waitFor();
    await overview.getByText('kinds without objects').waitFor();
    await remove();
    await missing(table).waitFor();
    await table.getByRole('button', { name: 'Show all namespaces' }).click();
    await table.getByRole('row', { name: 'kept' }).waitFor();
    assert.deepEqual(browser.errors, []);
  });
});
