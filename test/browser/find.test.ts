import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { filledWithMaps, mapName, MAPS } from './many.ts';
import { addUser, grant } from './users.ts';

const MANY = 100_000;

describe('finding objects in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start({ dataDir: await filledWithMaps(MANY) });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const showsNames = (page: Page, names: readonly string[]): Promise<void> =>
    eventually(
      async () => isDeepStrictEqual(await page.locator('.row .name').allInnerTexts(), names),
      `the rows ${names.join(', ')}`,
    );

  it('says which rows of a table were searched, and searches all by name on the server', async () => {
    const page = await browser.open(MAPS);
    await page.getByText('100,000', { exact: true }).waitFor();
    const box = page.getByLabel('Find in the loaded rows');
    await box.fill('P-09999');
    await page.getByRole('heading', { name: 'No row has this text' }).waitFor();
    await page
      .getByText(/^Only the [\d,]+ rows that are loaded were searched, of 100,000\.$/)
      .waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Find all whose name contains' }).click();
    await showsNames(
      page,
      Array.from({ length: 10 }, (_, i) => mapName(99_990 + i)),
    );
    // what is complete is searched as a whole
    await box.fill('7');
    await showsNames(page, [mapName(99_997)]);
    assert.equal(await page.getByText(/that are loaded/).count(), 0);
    await box.fill('');
    await page.getByRole('button', { name: /^Filter/ }).click();
    const filter = await page.getByLabel('Expression').inputValue();
    await page.getByLabel('Expression').fill(`${filter} && object.metadata.name.endsWith("8")`);
    await page.keyboard.press('Enter');
    await showsNames(page, [mapName(99_998)]);
  });

  it('finds objects of all kinds in the palette, by a part of their name', async () => {
    await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'shop-09999' } });
    const page = await browser.open('#/keys');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('P-09999');
    const option = page.getByRole('option').filter({ hasText: 'shop-09999' });
    await option.getByText('Namespace', { exact: true }).waitFor();
    assert.equal(
      await page.getByRole('option').filter({ hasText: 'ConfigMap · default' }).count(),
      5,
    );
    await page.getByText('More objects have this text: type more of the name.').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.type('7');
    await page
      .getByRole('option')
      .filter({ hasText: mapName(99_997) })
      .waitFor();
    await option.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: mapName(99_997) }).waitFor();
  });

  it('finds only what a user may read in the palette', async () => {
    const kubeconfig = addUser(plinth, 'ann');
    await grant(plinth, 'ann', 'default', [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    ]);
    await plinth.send('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'map-000001-key' },
    });
    const page = await browser.open('#/keys', { kubeconfig });
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('map-000001');
    await page.getByRole('option').filter({ hasText: 'map-000001-key' }).waitFor();
    assert.equal(await page.getByRole('option').filter({ hasText: 'map-000001' }).count(), 1);
    assert.deepEqual(browser.errors, []);
  });

  it('adds the name to the filter that is there', async () => {
    const filter = encodeURIComponent('object.metadata.name.endsWith("1") || false');
    const page = await browser.open(`${MAPS}&filter=${filter}&find=0042`);
    await page.getByRole('button', { name: 'Find all whose name contains' }).click();
    const rest = Array.from({ length: 10 }, (_, i) => 4_201 + i * 10);
    await showsNames(page, [421, ...rest].map(mapName));
    assert.deepEqual(browser.errors, []);
  });
});
