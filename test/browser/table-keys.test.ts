import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { filledWithMaps, mapName, MAPS } from './many.ts';

const MANY = 5_000;
const FIRST_PAGE = 200;

describe('keys and selection in a table of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start({ dataDir: await filledWithMaps(MANY) });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  async function opened(query = ''): Promise<Page> {
    const page = await browser.open(`${MAPS}${query}`);
    await page.locator('.row .name').first().waitFor();
    assert.ok(await page.evaluate('document.activeElement === document.body'));
    return page;
  }

  const isActive = (page: Page, name: string): Promise<void> =>
    eventually(
      async () => (await page.locator('.row.active .name').innerText()) === name,
      `the row ${name} is active`,
    );
  const selects = (page: Page, text: string): Promise<void> =>
    page.getByText(text, { exact: true }).waitFor();
  const all = (page: Page) => page.getByLabel('Select all loaded rows');

  it('move, select and open as soon as the table is open', async () => {
    const page = await opened();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await isActive(page, mapName(1));
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+x');
    await selects(page, '3 selected of 5,000');
    const other = await opened();
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: mapName(1) }).waitFor();
  });

  it('leave texts and buttons what is theirs', async () => {
    const page = await opened();
    const filter = page.getByRole('button', { name: 'Filter' });
    await filter.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Expression').waitFor();
    await page.getByLabel('Expression').pressSequentially('jxa');
    assert.equal(await page.getByLabel('Expression').inputValue(), 'jxa');
    await isActive(page, mapName(0));
    await filter.focus();
    await page.keyboard.press('j');
    await isActive(page, mapName(1));
    await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort]'))
      .waitFor();
    assert.equal(await page.getByText(/selected/).count(), 0);
  });

  it('select all rows that are loaded, and on demand all others', async () => {
    const page = await opened();
    await page.keyboard.press('a');
    await selects(page, `${FIRST_PAGE} selected of 5,000`);
    assert.ok(await all(page).isChecked());
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press('x');
    await selects(page, `${FIRST_PAGE - 1} selected of 5,000`);
    assert.ok(await page.evaluate('document.querySelector(".heads input").indeterminate'));
    await all(page).click();
    await selects(page, `${FIRST_PAGE} selected of 5,000`);
    await page.getByRole('button', { name: 'Select all 5,000' }).click();
    await selects(page, '5,000 selected of 5,000');
    await all(page).click();
    await page.getByText(/selected of/).waitFor({ state: 'detached' });
  });

  it('select all rows that are found, and no others', async () => {
    const page = await opened('&find=map-00001');
    await page.getByText('10 of 5,000').waitFor();
    await all(page).click();
    await selects(page, '10 selected of 5,000');
    assert.equal(await page.getByRole('button', { name: /^Select all/ }).count(), 0);
    assert.deepEqual(browser.errors, []);
  });
});
