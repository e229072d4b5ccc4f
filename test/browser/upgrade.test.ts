import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { otherBuild, upgrade } from './other-build.ts';
import { furnish, TABLE } from './world.ts';

const OBJECT = '#/kind/demo.example.com/v1/databases/default/db-000';
const MARK = 'globalThis.isSamePage = true';
const isSamePage = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('globalThis.isSamePage === true');

describe('the console while the server is upgraded', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  beforeEach(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 2);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(async () => {
    await browser.closePages();
    await plinth.dispose();
  });

  const row = (page: Page) => page.getByRole('link', { name: 'db-000', exact: true });
  const notice = (page: Page) => page.getByText('The server has a new version of the console.');

  it('says that there is another version, and goes on into views that it had not loaded', async () => {
    const page = await browser.open(TABLE);
    await row(page).waitFor();
    await page.evaluate(MARK);
    plinth = await upgrade(plinth, otherBuild());
    await notice(page).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    // what is open stays usable
    await row(page).click();
    await page.getByRole('heading', { name: 'Database db-000' }).waitFor();
    assert.equal(await isSamePage(page), true);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    assert.equal(await isSamePage(page), false);
    assert.equal(await notice(page).count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('keeps what was typed when its page is loaded again', async () => {
    const page = await browser.open(`${OBJECT}?tab=edit`);
    await page.locator('.cm-line', { hasText: 'engine: postgres' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await page.evaluate(MARK);
    let questions = 0;
    page.on('dialog', () => (questions += 1));
    plinth = await upgrade(plinth, otherBuild());
    await notice(page).waitFor();
    assert.equal(await isSamePage(page), true);
    await page.getByRole('button', { name: 'Reload' }).click();
    await notice(page).waitFor({ state: 'detached' });
    await page.locator('.cm-line', { hasText: 'engine: postgresx' }).waitFor();
    await page.getByText('Not saved yet').waitFor();
    assert.equal(questions, 0);
  });

  it('puts the notice off, and shows it at 360 pixels without hiding the page', async () => {
    const page = await browser.open(TABLE, { width: 360, height: 640 });
    await row(page).waitFor();
    plinth = await upgrade(plinth, otherBuild());
    await notice(page).waitFor();
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate<boolean>(isWide), false);
    await row(page).click({ trial: true });
    await page.getByRole('button', { name: 'Later' }).click();
    assert.equal(await notice(page).count(), 0);
  });

  it('loads its page once, not again and again, where the new version lacks a part', async () => {
    const page = await browser.open(TABLE);
    await row(page).waitFor();
    plinth = await upgrade(
      plinth,
      otherBuild((path) => path.startsWith('assets/access-')),
    );
    await notice(page).waitFor();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    const failure = page.getByRole('heading', { name: 'This cannot be shown' });
    await failure.waitFor();
    assert.equal(loads, 1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Graphs', exact: true }).click();
    await page.getByRole('heading', { name: 'Graphs' }).waitFor();
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await failure.waitFor();
    assert.equal(loads, 1);
  });

  it('waits for a server that is away, and shows the view when it is back', async () => {
    const page = await browser.open(TABLE);
    await row(page).waitFor();
    await page.evaluate(MARK);
    await plinth.stop();
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
    await plinth.start();
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    assert.equal(await isSamePage(page), true);
    await page.getByText('Live', { exact: true }).waitFor();
    assert.equal(await notice(page).count(), 0);
  });
});
