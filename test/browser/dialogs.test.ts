import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { DATABASES, TABLE } from './world.ts';

const PICTURES = 'dist/pictures';
const OBJECT = '#/kind/demo.example.com/v1/databases/default/db-000';

/** Name, address, and how it is opened and known to be there. */
const DIALOGS: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  [
    'palette',
    '#/overview',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  ],
  [
    'user-menu',
    '#/overview',
    async (page) => {
      await page.getByLabel('Signed in as admin').click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  ],
  [
    'filter',
    TABLE,
    async (page) => {
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Labels').first().waitFor();
    },
  ],
  [
    'delete',
    OBJECT,
    async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('db-000-settings').waitFor();
    },
  ],
  [
    'delete-namespace',
    '#/kind/core/v1/namespaces//default',
    async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('Type default to confirm').waitFor();
    },
  ],
  [
    'remove-finalizer',
    `${OBJECT.replace('db-000', 'held')}?tab=holds`,
    async (page) => {
      await page.getByRole('button', { name: 'Remove demo.example.com/backup' }).click();
      await page.getByRole('dialog').getByText('It is the last one').waitFor();
    },
  ],
  [
    'bulk-label',
    TABLE,
    async (page) => {
      await page.getByLabel('Select db-000').click();
      await page.getByLabel('Select db-001').click();
      await page.getByRole('button', { name: 'Label' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'bulk-delete',
    TABLE,
    async (page) => {
      await page.getByLabel('Select db-003').click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['review', `${OBJECT.replace('db-000', 'mine')}?tab=edit`, (page) => review(page, 'mine')],
  ['conflict', `${OBJECT.replace('db-000', 'taken')}?tab=edit`, (page) => review(page, 'taken')],
];

async function review(page: Page, name: string): Promise<void> {
  await page.locator('.cm-line', { hasText: 'replicas: ' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('7');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const title = name === 'mine' ? 'What would change' : 'Others have a say';
  await page.getByRole('dialog', { name: title }).waitFor();
}

describe('what opens above the views of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
    plinth = await Plinth.start();
    await furnishEstate(plinth, 6);
    for (const [name, manager] of [
      ['mine', 'plinth-console'],
      ['taken', 'autoscaler'],
    ]) {
      const { status, text } = await plinth.send(
        'PATCH',
        `${DATABASES}/${name}?fieldManager=${manager}`,
        {
          ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name } },
          spec: { engine: 'postgres', replicas: 2 },
        },
        { 'content-type': 'application/apply-patch+yaml' },
      );
      assert.equal(status, 201, text);
    }
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      const about = `${theme}, ${width} pixels`;
      for (const [name, hash, open] of DIALOGS) {
        // what selects rows needs their boxes, which narrow screens do without
        if (width === 360 && name.startsWith('bulk')) continue;
        it(`${name}, ${about}: nothing that axe finds wrong`, async () => {
          const page = await browser.open(hash, { theme, width });
          await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
          await open(page);
          await looksWell(page, `${name}-${theme}-${width}`);
        });
      }

      it(`sign-in, ${about}: nothing that axe finds wrong`, async () => {
        const page = await browser.open('#/overview', { theme, width, kubeconfig: null });
        await page.getByRole('heading', { name: 'Sign in to Plinth' }).waitFor();
        await looksWell(page, `sign-in-${theme}-${width}`);
      });
    }
  }

  async function looksWell(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    assert.deepEqual(await violationsOf(page), []);
    const [wide, seen] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    assert.ok(wide <= seen, `${wide} of ${seen} pixels`);
    assert.deepEqual(browser.errors.splice(0), []);
  }
});
