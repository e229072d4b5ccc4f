import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { install, OPEN_SCHEMA } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';

const GROUP = 'versions.example.com';
const NOTES = `/apis/${GROUP}/v1/namespaces/default/notes`;

const version = (name: string, more: object): object => ({
  ...{ name, served: true, storage: false, schema: { openAPIV3Schema: OPEN_SCHEMA } },
  additionalPrinterColumns: [{ name: `Text in ${name}`, type: 'string', jsonPath: '.spec.text' }],
  ...more,
});

describe('versions and names of kinds in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, {
      ...{ plural: 'notes', kind: 'Note', group: GROUP },
      versions: [
        version('v1', { storage: true }),
        version('v2', {}),
        version('v1beta1', { deprecated: true, deprecationWarning: 'notes are v1 since May' }),
        version('v1alpha1', { served: false }),
      ],
    });
    const reply = await plinth.send('POST', NOTES, {
      ...{ apiVersion: `${GROUP}/v1`, kind: 'Note', metadata: { name: 'first' } },
      spec: { text: 'hello' },
    });
    assert.equal(reply.status, 201, reply.text);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const choice = (page: Page) => page.getByLabel('Version', { exact: true });
  const address = (page: Page): Promise<string> => page.evaluate<string>('location.hash');
  const warning = (page: Page) => page.getByText('notes are v1 since May');
  const head = (page: Page, api: string) =>
    page.getByRole('columnheader', { name: `Text in ${api}` });

  it('are a choice above a table, with what the definition says of each', async () => {
    const page = await browser.open(`#/kind/${GROUP}/v2/notes?find=first`);
    await head(page, 'v2').waitFor();
    await choice(page).locator('option', { hasText: 'stored' }).waitFor({ state: 'attached' });
    assert.deepEqual(await choice(page).locator('option').allInnerTexts(), [
      'v2 (preferred)',
      'v1 (stored)',
      'v1beta1 (deprecated)',
    ]);
    assert.equal(await warning(page).count(), 0);
    await choice(page).selectOption('v1beta1');
    await head(page, 'v1beta1').waitFor();
    await warning(page).waitFor();
    assert.equal(await address(page), `#/kind/${GROUP}/v1beta1/notes?find=first`);
    assert.deepEqual(await violationsOf(page), []);
    const inSidebar = page.locator('.sidebar a', { hasText: 'Note' });
    assert.equal(await inSidebar.getAttribute('aria-current'), 'page');
    await page.goBack();
    await head(page, 'v2').waitFor();
    assert.equal(await warning(page).count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('are a choice in an object, which keeps its tab, and follows each version live', async () => {
    const page = await browser.open(`#/kind/${GROUP}/v1beta1/notes/default/first?tab=yaml`);
    await page.locator('.yaml', { hasText: `${GROUP}/v1beta1` }).waitFor();
    await warning(page).waitFor();
    await choice(page).selectOption('v1');
    const yaml = page.locator('.yaml', { hasText: `apiVersion: ${GROUP}/v1\n` });
    await yaml.waitFor();
    assert.equal(await warning(page).count(), 0);
    assert.equal(await address(page), `#/kind/${GROUP}/v1/notes/default/first?tab=yaml`);
    await plinth.send(...(['PATCH', `${NOTES}/first`, { spec: { text: 'changed' } }] as const), {
      'content-type': 'application/merge-patch+json',
    });
    await yaml.getByText('changed').waitFor();
  });

  it('are a choice in the documentation of a definition', async () => {
    const page = await browser.open(`#/definitions?kind=notes.v2.${GROUP}`);
    await choice(page).selectOption('v1');
    await eventually(
      async () => (await address(page)) === `#/definitions?kind=notes.v1.${GROUP}`,
      'the address of the other version',
    );
    await page.getByRole('heading', { name: 'Note', exact: true }).waitFor();
    assert.equal(await choice(page).inputValue(), 'v1');
  });

  it('leads from a version that is not served to the preferred one, and says so', async () => {
    const page = await browser.open(`#/kind/${GROUP}/v1alpha1/notes`);
    await head(page, 'v2').waitFor();
    await page.getByText(`v1alpha1 is not served. This is ${GROUP}/v2.`).waitFor();
    assert.equal(await address(page), `#/kind/${GROUP}/v2/notes`);
  });

  it('leads from the alias of a group to the page of its own name', async () => {
    const table = await browser.open('#/kind/rbac.authorization.k8s.io/v1/clusterroles?find=view');
    await table.getByRole('link', { name: 'view', exact: true }).waitFor();
    const own = '#/kind/rbac.authorization.cluster.io/v1/clusterroles';
    assert.equal(await address(table), `${own}?find=view`);
    const object = await browser.open(
      '#/kind/rbac.authorization.k8s.io/v1/clusterroles/-/view?tab=yaml',
    );
    await object.getByRole('heading', { name: 'ClusterRole view' }).waitFor();
    await object.locator('.yaml', { hasText: 'rbac.authorization.cluster.io/v1' }).waitFor();
    assert.equal(await address(object), `${own}/-/view?tab=yaml`);
  });

  it('are those of the text of a new object', async () => {
    const line = (page: Page, api: string) =>
      page.locator('.cm-line').getByText(`apiVersion: ${GROUP}/${api}`, { exact: true });
    const page = await browser.open(`#/new/${GROUP}/v1/notes`);
    await line(page, 'v1').waitFor();
    await page.evaluate(`void (location.hash = '#/new/${GROUP}/v2/notes')`);
    await line(page, 'v2').waitFor();
  });
});
