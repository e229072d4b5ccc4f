import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';

const OBJECT = '#/kind/demo.example.com/v1/databases/default/db-001';

describe('a console that loses the network for a moment', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnishEstate(plinth, 8);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const away = (page: Page, isAway: boolean): Promise<void> => page.context().setOffline(isAway);

  it('reads by itself what a part of a page could not read', async () => {
    const page = await browser.open(OBJECT);
    await page.getByText('postgres').first().waitFor();
    await away(page, true);
    await page.getByRole('link', { name: 'YAML' }).click();
    await page.getByText('The server does not answer').first().waitFor();
    await away(page, false);
    await page.getByText('engine:').waitFor();
  });

  it('finds by itself the objects that the palette could not find', async () => {
    const page = await browser.open(OBJECT);
    await page.getByText('postgres').first().waitFor();
    await page.keyboard.press('Control+k');
    await away(page, true);
    await page.keyboard.type('db-00');
    await page.getByText('No objects: The server does not answer').waitFor();
    await away(page, false);
    await page.getByRole('option', { name: /db-003/ }).waitFor();
  });

  it('does not show a user as signed out who is not', async () => {
    const page = await browser.open(OBJECT);
    await page.getByText('postgres').first().waitFor();
    await away(page, true);
    await page.getByLabel('Signed in as').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in: The server does not answer').waitFor();
    assert.equal(await page.getByText('postgres').first().isVisible(), true);
  });
});
