import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';

const NAMESPACES = '/api/v1/namespaces';
const CONFIGMAPS = '#/kind/core/v1/configmaps';
/** More than the console holds. */
const MANY = 1_100;
const AT_ONCE = 20;

describe('the namespace box with many namespaces', () => {
  let plinth: Plinth;
  let browser: TestBrowser;

  before(async () => {
    plinth = await Plinth.start();
    const names = Array.from({ length: MANY }, (_, i) => `team-${String(i).padStart(5, '0')}`);
    for (let i = 0; i < names.length; i += AT_ONCE) {
      await Promise.all(names.slice(i, i + AT_ONCE).map(makeNamespace));
    }
    await makeNamespace('zebra');
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const makeNamespace = (name: string) => made(plinth, NAMESPACES, { metadata: { name } });

  const shows = (page: Page, text: string, names: readonly string[]) =>
    eventually(
      async () => {
        const box = page.getByRole('combobox', { name: 'Namespace' });
        if ((await box.inputValue()) !== text) await box.fill(text);
        const shown = await page.getByRole('option').allInnerTexts();
        return shown.join() === names.join();
      },
      `${text}: ${names.join(', ')}`,
    );

  it('shows a few, finds each by letters of its name, and says how many there are', async () => {
    const page = await browser.open(CONFIGMAPS);
    const box = page.getByRole('combobox', { name: 'Namespace' });
    await box.click();
    await page.getByRole('option', { name: 'All namespaces' }).waitFor();
    await page.getByText(/^1,07\d more: type to narrow\.$/).waitFor();
    assert.equal(await page.getByRole('option').count(), 31);
    assert.deepEqual(await violationsOf(page), []);
    await shows(page, '-00042', ['team-00042']);
    // only the server knows it
    await shows(page, 'zeb', ['zebra']);
    await box.press('ArrowDown');
    await box.press('Enter');
    await page.getByRole('heading', { name: 'No ConfigMap yet in zebra' }).waitFor();
    assert.equal(await box.inputValue(), 'zebra');
    await shows(page, 'nothing', []);
    await page.getByText('No namespace has this text.').waitFor();
    await box.press('Escape');
    assert.equal(await box.inputValue(), 'zebra');
  });

  it('follows namespaces that come and go, by the one connection', async () => {
    const page = await browser.open(CONFIGMAPS);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: 'default' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await makeNamespace('a-new-one');
    await page.getByRole('option', { name: 'a-new-one' }).waitFor();
    await plinth.send('DELETE', `${NAMESPACES}/a-new-one`);
    await page.getByRole('option', { name: 'a-new-one' }).waitFor({ state: 'detached' });
    assert.deepEqual(requests, []);
    assert.deepEqual(browser.errors, []);
  });
});
