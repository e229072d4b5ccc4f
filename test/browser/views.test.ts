import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { TABLE } from './world.ts';

/** Pictures of each view, made by every run. */
const PICTURES = 'dist/pictures';
const LIST = encodeURIComponent('get /api/v1/namespaces/{namespace}/configmaps');
const OBJECT = '#/kind/demo.example.com/v1/databases/default/db-000';

type Ready = (page: Page) => Promise<void>;
const text =
  (wanted: string): Ready =>
  (page) =>
    page.getByRole('main').getByText(wanted).first().waitFor();
const heading =
  (name: string, then: Ready = () => Promise.resolve()): Ready =>
  async (page) => {
    await page.getByRole('heading', { name }).first().waitFor();
    await then(page);
  };

/** Nothing is being read any more. */
async function settled(page: Page): Promise<void> {
  for (const wait of ['Reading…', 'Loading…', 'Looking for']) {
    await page.getByText(wait).first().waitFor({ state: 'detached' });
  }
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
}

/** Name, address, and what shows that the view is complete. */
const VIEWS: readonly (readonly [string, string, Ready])[] = [
  ['overview', '#/overview', heading('Overview', text('ServiceAccount'))],
  ['table', TABLE, text('db-000')],
  ['table-empty', '#/kind/core/v1/configmaps?namespace=nowhere', heading('ConfigMap')],
  ['object', OBJECT, heading('Database db-000', text('Owners and dependents'))],
  ['object-yaml', `${OBJECT}?tab=yaml`, text('engine:')],
  ['object-edit', `${OBJECT}?tab=edit`, text('engine:')],
  ['object-fields', `${OBJECT}?tab=managers`, heading('Database db-000')],
  ['object-held', `${OBJECT.replace('db-000', 'held')}?tab=holds`, text('demo.example.com/backup')],
  ['create', '#/new/demo.example.com/v1/databases?namespace=default', text('engine:')],
  ['definitions', '#/definitions', heading('Definitions', text('Database'))],
  [
    'definition',
    '#/definitions?kind=databases.v1.demo.example.com',
    text('The program that keeps the data.'),
  ],
  ['access', '#/access', heading('Access', text('Database'))],
  ['admission', '#/admission', heading('Admission', text('few-copies'))],
  [
    'access-who',
    '#/access?tab=who&kind=databases.v1.demo.example.com&user=ann&namespace=default',
    text('operators'),
  ],
  ['explorer', '#/explorer', heading('API explorer')],
  ['explorer-request', `#/explorer?document=api%2Fv1&operation=${LIST}`, text('kubectl get')],
  ['graphs', '#/graphs', heading('Graphs', text('MiB'))],
  ['keys', '#/keys', heading('Keyboard')],
  ['missing', '#/nothing/here', text('There is no such page')],
];

describe('the views of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
    plinth = await Plinth.start();
    await furnishEstate(plinth);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  for (const theme of ['light', 'dark'] as const) {
    for (const [name, hash, ready] of VIEWS) {
      it(`${name}, ${theme}: nothing that axe finds wrong`, async () => {
        const page = await browser.open(hash, { theme });
        await ready(page);
        await settled(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(browser.errors.splice(0), []);
      });
    }
  }

  for (const [width, height] of [
    [360, 740],
    [3840, 2160],
  ] as const) {
    for (const [name, hash, ready] of VIEWS) {
      it(`${name} fits into ${width} pixels`, async () => {
        const page = await browser.open(hash, { width, height });
        await ready(page);
        await settled(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`) });
        const [wide, seen] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        assert.ok(wide <= seen, `${wide} of ${seen} pixels`);
        if (width < 1000) assert.deepEqual(await violationsOf(page), []);
      });
    }
  }
});
