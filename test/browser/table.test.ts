import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { pressQuickly, TestBrowser } from './chromium.ts';
import { filledWithMaps, mapName, MAPS } from './many.ts';
import { DATABASES, furnish, make, nameOf, setPhase, TABLE } from './world.ts';

/** More than the first page of a table. */
const MANY = 300;

describe('a table of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;

  before(async () => {
    plinth = await Plinth.start({ dataDir: await filledWithMaps(MANY) });
    await furnish(plinth, 30);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(async () => {
    await plinth.dispose();
  });

  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

  const showsNames = (page: Page, names: readonly string[]) =>
    eventually(
      async () => isDeepStrictEqual(await page.locator('.row .name').allInnerTexts(), names),
      `the rows ${names.join(', ')}`,
    );

  it('shows the columns of the server, and every change at once', async () => {
    const page = await browser.open(TABLE);
    await row(page, 'db-000').getByText('Ready').waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(
      heads.map((head) => head.trim()).filter((head) => head !== ''),
      ['Name', 'Namespace', 'Engine', 'Replicas', 'Phase', 'Age'],
    );
    await setPhase(plinth, 'db-001', 'Pending');
    await row(page, 'db-001').getByText('Pending').waitFor();
    assert.match(
      (await row(page, 'db-001').locator('.cell', { hasText: 'Pending' }).getAttribute('class')) ??
        '',
      /flash/,
    );
    await make(plinth, 'aaa-first', {});
    await row(page, 'aaa-first').waitFor();
    await plinth.send('DELETE', `${DATABASES}/aaa-first`);
    await row(page, 'aaa-first').waitFor({ state: 'detached' });
    assert.deepEqual(browser.errors, []);
  });

  it('filters and orders on the server, and keeps both in the address', async () => {
    const page = await browser.open(TABLE);
    await row(page, 'db-000').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Expression').fill('object.spec.replicas > 4');
    await page.getByLabel('Order by').fill('metadata.name:desc');
    await page.getByRole('button', { name: 'Apply' }).click();
    const names = [29, 24, 19, 14, 9, 4].map(nameOf);
    await showsNames(page, names);
    const again = await browser.open(await page.evaluate<string>('location.hash'));
    await showsNames(again, names);
    await page.getByLabel('Expression').fill('object.spec.nothing > 4');
    await page.keyboard.press('Enter');
    await page.getByText('The server does not understand the question').waitFor();
    // the next letters go into the same filter, not to the page
    assert.equal(await page.evaluate('document.activeElement.name'), 'filter');
  });

  it('is used with the keyboard alone', async () => {
    const page = await browser.open('#/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await pressQuickly(page, ['g', 'd']);
    await page.getByRole('heading', { name: 'Definitions' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('database');
    await page.keyboard.press('Enter');
    await row(page, 'db-000').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('db-01');
    await row(page, 'db-000').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Database db-011' }).waitFor();
    await page.goBack();
    await page.getByText('10 of 30').waitFor();
  });

  async function choose(page: Page, namespace: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: namespace, exact: true }).click();
  }

  it('follows the choice of a namespace, in its rows, its count and its empty state', async () => {
    const page = await browser.open(`${TABLE}?namespace=default&find=db-00`);
    await page.getByText(/^10 of \d+$/).waitFor();
    await choose(page, 'kube-public');
    await page.getByRole('heading', { name: 'No Database yet in kube-public' }).waitFor();
    assert.equal(await page.locator('.row').count(), 0);
    await page.goto(`${plinth.url}/console/${TABLE}?namespace=default`);
    await row(page, 'db-000').waitFor();
    const all = await page.locator('.count').innerText();
    await choose(page, 'kube-public');
    await page.getByRole('heading', { name: 'No Database yet in kube-public' }).waitFor();
    assert.notEqual(all, '0');
    assert.equal(await page.locator('.count').innerText(), '0');
  });

  it('keeps its columns under their heads, whatever stands in the rows', async () => {
    const name = `long-${'n'.repeat(200)}`;
    await make(plinth, name, {});
    const page = await browser.open(`${TABLE}?find=long-`);
    await row(page, name).waitFor();
    const places = `[...document.querySelectorAll('.heads, .row')].map((line) =>
      [...line.children].map((cell) => Math.round(cell.getBoundingClientRect().left)))`;
    const [heads, cells] = await page.evaluate<number[][]>(places);
    assert.deepEqual(cells, heads);
    await plinth.send('DELETE', `${DATABASES}/${name}`);
  });

  it('begins with the name, also where the columns of the server do not', async () => {
    await plinth.send('POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'happened.1' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: 'default' },
      ...{ reason: 'Tested', message: 'm'.repeat(150), type: 'Normal' },
      lastTimestamp: new Date().toISOString(),
    });
    const page = await browser.open('#/kind/core/v1/events?namespace=default');
    await row(page, 'happened.1').waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(heads.slice(1, 3), ['Name', 'Last Seen']);
    await row(page, 'happened.1').getByText('Tested').waitFor();
  });

  it('comes by itself when the server does, where it was opened without one', async () => {
    const page = await browser.open('#/keys');
    await page.getByText('Live', { exact: true }).waitFor();
    await plinth.stop('SIGKILL');
    await page.getByText('Disconnected').waitFor();
    await page.goto(`${plinth.url}/console/${TABLE}`);
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
    await plinth.start();
    await row(page, 'db-000').waitFor();
  });

  it('says when the server is lost, and goes on without a gap when it is back', async () => {
    const page = await browser.open(TABLE);
    await row(page, 'db-000').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await plinth.stop('SIGKILL');
    await page.getByText('Disconnected').waitFor();
    await plinth.start();
    await setPhase(plinth, 'db-002', 'Failed');
    await page.getByText('Live', { exact: true }).waitFor();
    await row(page, 'db-002').getByText('Failed').waitFor();
  });

  it('labels and deletes many at once, and says what goes with them', async () => {
    await make(plinth, 'bulk-1', {});
    await make(plinth, 'bulk-2', {});
    const page = await browser.open(`${TABLE}?namespace=default&find=bulk`);
    await row(page, 'bulk-1').waitFor();
    assert.equal(await page.getByLabel('Namespace', { exact: true }).inputValue(), 'default');
    await page.getByLabel('Select bulk-1').click();
    await page.getByLabel('Select bulk-2').click();
    await page.getByRole('button', { name: 'Label' }).click();
    await page.getByLabel('Label', { exact: true }).fill('team');
    await page.getByLabel('Value').fill('a');
    await page.getByRole('button', { name: 'Write labels' }).click();
    await page.getByText('Labelled 2 objects').waitFor();
    const { json } = await plinth.get(`${DATABASES}?labelSelector=team%3Da`);
    assert.equal(json.items.length, 2);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Nothing else goes with them.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted 2 databases').waitFor();
    await row(page, 'bulk-1').waitFor({ state: 'detached' });
  });

  it('does not mix the pages of two readings', async () => {
    const page = await browser.open(`${MAPS}&order=metadata.name:desc`);
    const held: (() => Promise<void>)[] = [];
    await page.route('**/configmaps?*continue=*', async (route) => {
      const response = await route.fetch();
      // the page may have given up the request
      held.push(() => route.fulfill({ response }).catch(() => undefined));
    });
    await page.getByRole('link', { name: mapName(MANY - 1) }).waitFor();
    await page.keyboard.press('End');
    await eventually(() => held.length === 1, 'the second page is on its way');
    await plinth.send('DELETE', `/api/v1/namespaces/default/configmaps/${mapName(5)}`);
    await page.getByRole('button', { name: 'Changed since it was ordered' }).click();
    await eventually(() => held.length === 2, 'so is that of another reading');
    for (const release of held) await release();
    await page.getByRole('link', { name: mapName(6) }).waitFor();
    await page.getByText(String(MANY - 1), { exact: true }).waitFor();
    assert.equal(await page.getByRole('link', { name: mapName(5) }).count(), 0);
  });
});
