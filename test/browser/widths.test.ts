import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';

const GROUP = 'demo.example.com';
const LONG = 'RecordOfEveryChangeThatATeamHasMadeToItsOwnSettings';
const JOBS = `/apis/${GROUP}/v1/namespaces/default/jobs`;
const SCHEMA = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { due: { type: 'string', format: 'date-time' } } },
  },
};
const NARROW = { width: 360, height: 740 };
const WIDE = { width: 3840, height: 2160 };

describe('the console in little and in much room', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, { plural: 'jobs', kind: 'Job', group: GROUP, schema: SCHEMA });
    await install(plinth, { plural: LONG.toLowerCase(), kind: LONG, group: GROUP });
    const due = new Date(Date.now() + 50.5 * 3_600_000).toISOString();
    const { status, text } = await plinth.send('POST', JOBS, {
      ...{ apiVersion: `${GROUP}/v1`, kind: 'Job', spec: { due } },
      metadata: { name: 'late', finalizers: [`${GROUP}/backup`] },
    });
    assert.equal(status, 201, text);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const widthOf = (page: Page, selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((element: any) => element.getBoundingClientRect().width as number);

  it('the summary says what holds an object, and how far a moment lies ahead', async () => {
    const page = await browser.open(`#/kind/${GROUP}/v1/jobs/default/late`, NARROW);
    const card = page.locator('.card').filter({ hasText: 'Metadata' });
    await card.getByText('Finalizers').waitFor();
    await card.getByText(`${GROUP}/backup`).waitFor();
    assert.equal(await card.getByText('Deletion').count(), 0);
    await page.getByText('in 2d2h').waitFor();
    await plinth.send('DELETE', `${JOBS}/late`);
    await card.getByText('Deletion').waitFor();
    assert.deepEqual(await violationsOf(page), []);
  });

  it('the tabs of an object shade the edge beyond which there are more', async () => {
    const page = await browser.open(`#/kind/${GROUP}/v1/jobs/default/late`, NARROW);
    const tabs = page.getByRole('navigation', { name: 'Parts of the object' });
    await tabs.waitFor();
    const [isCut, kept] = await tabs.evaluate((element: any) => [
      element.scrollWidth > element.clientWidth,
      element.ownerDocument.defaultView.getComputedStyle(element).backgroundAttachment,
    ]);
    assert.deepEqual([isCut, kept], [true, 'local, local, scroll, scroll']);
  });

  it('the list of kinds gives way to the documentation, and comes back', async () => {
    const page = await browser.open('#/definitions', NARROW);
    const list = page.getByRole('navigation', { name: 'Kinds' });
    await list.getByRole('link', { name: `Job ${GROUP}` }).focus();
    await page.keyboard.press('Enter');
    const head = page.getByRole('heading', { name: 'Job', exact: true });
    await head.waitFor();
    assert.equal(await list.isVisible(), false);
    await page.locator('h2:focus').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('link', { name: 'All kinds' }).click();
    await list.waitFor();
    assert.equal(await head.count(), 0);
  });

  it('the overview has three columns, and the sidebar its names whole', async () => {
    const page = await browser.open('#/overview', WIDE);
    await page.locator('.log').waitFor();
    await page.locator('.health').first().waitFor();
    const columns = await page
      .locator('.overview')
      .evaluate(
        (element: any) =>
          element.ownerDocument.defaultView.getComputedStyle(element).gridTemplateColumns.split(' ')
            .length as number,
      );
    assert.equal(columns, 3);
    const name = page.locator('.sidebar').getByText(LONG, { exact: true });
    const [wide, seen] = await name.evaluate((link: any) => [link.scrollWidth, link.clientWidth]);
    assert.ok(wide <= seen, `${wide} of ${seen} pixels`);
  });

  it('graphs are large', async () => {
    const page = await browser.open('#/graphs', WIDE);
    await page.locator('.chart svg').first().waitFor();
    assert.ok((await widthOf(page, '.chart')) >= 640);
    const height = await page
      .locator('.chart svg')
      .first()
      .evaluate((chart: any) => chart.getBoundingClientRect().height as number);
    assert.ok(height >= 300, `${height} pixels`);
  });
});
