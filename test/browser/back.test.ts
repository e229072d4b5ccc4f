import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { filledWithMaps, mapName, MAPS } from './many.ts';
import { settled } from './views.ts';
import { furnish, make } from './world.ts';

const MANY = 100_000;
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

/** The first row that is seen below the heads of a table, and how much of it is hidden. */
const FIRST_SEEN = `(() => {
  const edge = document.querySelector('.heads')?.getBoundingClientRect().bottom;
  const first = [...document.querySelectorAll('.row')].find((row) => row.getBoundingClientRect().bottom > edge + 1);
  return first === undefined ? '' :
    [first.querySelector('.name')?.textContent, Math.round(edge - first.getBoundingClientRect().top)].join(' ');
})()`;
const ACTIVE = `document.querySelector('.row.active .name')?.textContent ?? ''`;

const scrolled = (page: Page, part: string): Promise<number> =>
  page.evaluate<number>(`Math.round(document.querySelector('${part}')?.scrollTop ?? -1)`);
async function scroll(page: Page, part: string, top: number): Promise<void> {
  await page.evaluate(`void (document.querySelector('${part}').scrollTop = ${top})`);
}

/** What a page shows becomes this. */
async function comes(page: Page, what: string, wanted: unknown): Promise<void> {
  await eventually(
    async () => (await page.evaluate(what)) === wanted,
    `${what}: ${String(wanted)}`,
  );
}

describe('the way back in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start({ dataDir: await filledWithMaps(MANY) });
    await furnish(plinth, 3);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  /** Far below in the table of all maps: rows in sight, one of them selected, one active. */
  async function farBelow(): Promise<{ page: Page; seen: string }> {
    const page = await browser.open(MAPS);
    await page.getByRole('link', { name: mapName(0) }).waitFor();
    await scroll(page, '.grid', 40 * 5_000 + 13);
    await page.getByLabel(`Select ${mapName(5_002)}`).click();
    await page.getByText('1 selected').waitFor();
    await comes(page, ACTIVE, mapName(5_002));
    return { page, seen: await page.evaluate<string>(FIRST_SEEN) };
  }

  it('leads to the row of a table that was left, whatever came above it meanwhile', async () => {
    const { page, seen } = await farBelow();
    assert.match(seen, new RegExp(`^${mapName(5_000)} `));
    await page.getByRole('link', { name: mapName(5_003) }).click();
    await page.getByRole('heading', { name: mapName(5_003) }).waitFor();
    for (const name of ['above-1', 'above-2']) {
      await plinth.send('POST', CONFIGMAPS, { metadata: { name } });
    }
    await page.goBack();
    await comes(page, FIRST_SEEN, seen);
    await comes(page, ACTIVE, mapName(5_003));
    assert.ok(await page.getByLabel(`Select ${mapName(5_002)}`).isChecked());
    await page.getByText('1 selected').waitFor();
    // what was made meanwhile is there
    await page.keyboard.press('Home');
    await page.getByRole('link', { name: 'above-2' }).waitFor();
  });

  it('leads to the row also after the page was loaded again', async () => {
    const { page, seen } = await farBelow();
    await page.getByRole('link', { name: mapName(5_003) }).click();
    await page.getByRole('heading', { name: mapName(5_003) }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: mapName(5_003) }).waitFor();
    await plinth.send('DELETE', `${CONFIGMAPS}/${mapName(1)}`);
    await page.goBack();
    await comes(page, FIRST_SEEN, seen);
    await page.getByText('1 selected').waitFor();
    // a link begins at the top
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByRole('link', { name: 'ConfigMap', exact: true }).click();
    await page.getByRole('link', { name: mapName(0) }).waitFor();
    await comes(page, ACTIVE, 'above-1');
    assert.equal(await page.getByText('1 selected').count(), 0);
  });

  it('leads to the change in the log, which has gone on meanwhile', async () => {
    const page = await browser.open('#/overview', { height: 400 });
    await page.locator('.log[aria-busy="false"]').waitFor();
    for (let i = 0; i < 20; i++) await make(plinth, `logged-${i}`, {});
    await page.getByRole('link', { name: 'default/logged-19', exact: true }).waitFor();
    await settled(page);
    const link = page.getByRole('link', { name: 'default/logged-0', exact: true });
    await link.scrollIntoViewIfNeeded();
    const top = await scrolled(page, 'main');
    assert.ok(top > 100, `${top} pixels`);
    const place = await link.boundingBox();
    await link.click();
    await page.getByRole('heading', { name: 'Database logged-0' }).waitFor();
    assert.equal(await scrolled(page, 'main'), 0, 'another page begins at its top');
    await make(plinth, 'meanwhile', {});
    await page.goBack();
    await page.getByRole('link', { name: 'default/meanwhile' }).waitFor();
    await comes(page, 'document.activeElement.textContent', 'default/logged-0');
    await eventually(async () => {
      const box = await link.boundingBox();
      return box !== null && Math.abs(box.y - place!.y) <= 1;
    }, 'the link stands where it stood');
  });

  it('leads to the place in a list and in a page', async () => {
    const page = await browser.open('#/explorer', { height: 500 });
    const operation = page
      .getByRole('navigation', { name: 'Operations' })
      .getByRole('link')
      .nth(60);
    await operation.click();
    await page.getByRole('button', { name: /^Send/ }).waitFor();
    await scroll(page, 'main', 150);
    const [list, main] = [await scrolled(page, '.list ul'), await scrolled(page, 'main')];
    assert.ok(list > 500 && main > 100, `${list} and ${main} pixels`);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await comes(page, `document.querySelector('main').scrollTop`, 0);
    await page.goBack();
    await page.getByRole('button', { name: /^Send/ }).waitFor();
    await comes(page, `Math.round(document.querySelector('.list ul').scrollTop)`, list);
    await comes(page, `Math.round(document.querySelector('main').scrollTop)`, main);
  });
});
