import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { areDrawn, nextReading, runAhead } from './graph-readings.ts';

describe('the graphs of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  /** The graphs after so many rates, by a clock that runs ahead. */
  async function graphs(rates: number): Promise<Page> {
    const page = await browser.open('#/graphs');
    await runAhead(page);
    for (let i = 1; i <= rates; i++) {
      await nextReading(page);
      await areDrawn(page, i);
    }
    return page;
  }

  it('show the values of the moment that is pointed at, in all charts', async () => {
    const page = await graphs(4);
    const charts = page.locator('.chart svg');
    await charts.first().hover();
    await page.getByText(/The values at \d/).waitFor();
    const lines = page.locator('.chart .moment');
    assert.equal(await lines.count(), await charts.count());
    await page.getByRole('heading', { name: 'Graphs' }).hover();
    await page.getByText(/The last 15 minutes at most/).waitFor();
    assert.equal(await lines.count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('say that an idle server has no requests, instead of their own', async () => {
    const page = await graphs(3);
    const latency = page.locator('.chart').filter({ hasText: 'Latency' });
    const shown = (): Promise<string[]> => latency.locator('.legend strong').allInnerTexts();
    const requests = page.locator('.chart').filter({ hasText: 'Requests' });
    assert.deepEqual(await shown(), ['no requests', 'no requests']);
    assert.equal(await requests.locator('.legend strong').first().innerText(), '0/s');
    for (let i = 0; i < 20; i++) await plinth.get('/api/v1/namespaces');
    await nextReading(page);
    await areDrawn(page, 4);
    for (const text of await shown()) assert.match(text, / ms$/);
    await nextReading(page);
    await areDrawn(page, 5);
    assert.deepEqual(await shown(), ['no requests', 'no requests']);
  });

  it('show earlier moments by the arrow keys', async () => {
    const page = await graphs(4);
    const said: string[] = [];
    await page.getByRole('group', { name: 'Graphs' }).focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight']) {
      await page.keyboard.press(key);
      said.push(await page.getByText(/The values at \d/).innerText());
    }
    assert.notEqual(said[0], said[1]);
    assert.equal(said[0], said[2]);
  });

  it('keep what was read while another view is open', async () => {
    const page = await graphs(3);
    await page.goto(`${plinth.url}/console/#/keys`);
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith('/metrics'));
    await nextReading(page);
    await asked;
    await page.goto(`${plinth.url}/console/#/graphs`);
    await areDrawn(page, 4);
  });

  it('ask no more once the user may not read the metrics', async () => {
    const page = await browser.open('#/overview');
    await page.clock.install();
    let asked = 0;
    await page.route('**/metrics', (route) => {
      asked++;
      return route.fulfill({
        status: 403,
        json: { kind: 'Status', message: 'forbidden: metrics' },
      });
    });
    await page.goto(`${plinth.url}/console/#/graphs`);
    await page.getByText('forbidden: metrics').waitFor();
    await nextReading(page, 10);
    assert.equal(asked, 1);
  });
});
