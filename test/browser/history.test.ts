import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { furnish, TABLE } from './world.ts';

const DEFINITION =
  '#/definitions?kind=validatingadmissionpolicies.v1.admissionregistration.cluster.io';
const LIST = encodeURIComponent('get /api/v1/namespaces/{namespace}/configmaps');

describe('the history and the addresses of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 12);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const hashOf = (page: Page): Promise<string> => page.evaluate<string>('location.hash');

  /** The address becomes one that has this. */
  const says = (page: Page, wanted: RegExp): Promise<void> =>
    eventually(async () => wanted.test(await hashOf(page)), `an address with ${wanted.source}`);

  /** Opens what the address of a page says, as one does who was sent the link. */
  const sent = async (page: Page): Promise<Page> => browser.open(await hashOf(page));

  const names = (page: Page): Promise<string[]> => page.locator('.row .name').allInnerTexts();
  const begins = (page: Page, name: string): Promise<void> =>
    eventually(async () => (await names(page))[0] === name, `the first row ${name}`);

  it('has an entry for each choice in a table, and one for all that is typed', async () => {
    const page = await browser.open(TABLE);
    await begins(page, 'db-000');
    const box = page.getByLabel('Namespace', { exact: true });
    await box.fill('default');
    await box.press('Enter');
    await says(page, /namespace=default$/);
    await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).click();
    await says(page, /order=metadata.name$/);
    await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).click();
    await begins(page, 'db-011');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Expression').fill('object.spec.replicas > 1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.count', { hasText: /^9$/ }).waitFor();
    await page.getByLabel('Find in the loaded rows').pressSequentially('db-00', { delay: 200 });
    await page.getByText('8 of 9').waitFor();

    await page.goBack();
    await page.locator('.count', { hasText: /^9$/ }).waitFor();
    assert.equal(await page.getByLabel('Find in the loaded rows').inputValue(), '');
    await page.goBack();
    await begins(page, 'db-011');
    assert.equal(await page.getByLabel('Expression').inputValue(), '');
    await page.goBack();
    await says(page, /order=metadata.name$/);
    await begins(page, 'db-000');
    await page.goBack();
    await says(page, /namespace=default$/);
    await page.goBack();
    await eventually(async () => (await hashOf(page)) === TABLE, 'the first address');
    assert.equal(await box.inputValue(), '');
    await page.goForward();
    await says(page, /namespace=default$/);
    await eventually(async () => (await box.inputValue()) === 'default', 'the namespace of before');
  });

  it('has an entry for each question about access', async () => {
    const page = await browser.open('#/access?tab=who&user=ann');
    const user = page.getByLabel('User');
    await user.fill('ben');
    await user.press('Enter');
    await says(page, /user=ben/);
    await page.getByLabel('Verb').selectOption('delete');
    await says(page, /verb=delete/);
    await page.goBack();
    await eventually(
      async () => (await page.getByLabel('Verb').inputValue()) === 'get',
      'the verb',
    );
    await page.goBack();
    await eventually(async () => (await user.inputValue()) === 'ann', 'the user of before');
  });

  it('keeps a request of the explorer in the address', async () => {
    const page = await browser.open(`#/explorer?document=api%2Fv1&operation=${LIST}`);
    await page.getByLabel('Find a path').fill('configmaps');
    await page.getByLabel('namespace required').fill('kube-public');
    await page.getByText('Query parameters').click();
    await page.getByLabel('limit query').fill('7');
    await says(page, /limit=7/);
    const other = await sent(page);
    const command = other.getByLabel('Command of kubectl', { exact: true });
    await command.getByText('/api/v1/namespaces/kube-public/configmaps?limit=7').waitFor();
    await other.getByLabel('limit query').waitFor();
    assert.equal(await other.getByLabel('limit query').inputValue(), '7');
    assert.equal(await other.getByLabel('Find a path').inputValue(), 'configmaps');
    assert.match(
      await other.getByRole('navigation', { name: 'Operations' }).innerText(),
      /configmaps/,
    );
    assert.doesNotMatch(
      await other.getByRole('navigation', { name: 'Operations' }).innerText(),
      /secrets/,
    );
  });

  it('keeps the type of a body that is not the first', async () => {
    const patch = encodeURIComponent('patch /api/v1/namespaces/{namespace}/configmaps/{name}');
    const page = await browser.open(`#/explorer?document=api%2Fv1&operation=${patch}`);
    const type = page.getByLabel('Type of the body');
    const chosen = await type.locator('option').nth(1).innerText();
    await type.selectOption(chosen);
    await says(page, /type=/);
    const other = await sent(page);
    await other.getByLabel('Body', { exact: true }).waitFor();
    assert.equal(await other.getByLabel('Type of the body').inputValue(), chosen);
  });

  it('keeps the form to create with, and Back leads to the text', async () => {
    const page = await browser.open('#/new/demo.example.com/v1/databases?namespace=default');
    await page.getByRole('button', { name: 'Form' }).click();
    await page.getByLabel('owner').fill('ann');
    const other = await sent(page);
    await other.getByLabel('owner').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'YAML', pressed: true }).waitFor();
    await page.getByText('owner: ann').waitFor();
  });

  it('keeps the field that is open in a documentation, and the kinds that were found', async () => {
    const page = await browser.open(DEFINITION);
    await page.getByLabel('Find a kind in the list').fill('policy');
    const rules = page
      .locator('summary')
      .filter({ has: page.getByText('resourceRules', { exact: true }) });
    await rules.click();
    await page.getByText('apiVersions', { exact: true }).waitFor();
    await says(page, /field=spec.matchConstraints.resourceRules/);
    const other = await sent(page);
    await other.getByText('apiVersions', { exact: true }).waitFor();
    assert.equal(await other.getByLabel('Find a kind in the list').inputValue(), 'policy');
    await rules.click();
    await says(page, /field=spec.matchConstraints($|&)/);
  });

  it('keeps whether the YAML shows the managed fields', async () => {
    const page = await browser.open('#/kind/demo.example.com/v1/databases/default/db-000?tab=yaml');
    await page.getByRole('checkbox', { name: 'Managed fields' }).click();
    await page.getByText('managedFields:').waitFor();
    const other = await sent(page);
    await other.getByText('managedFields:').waitFor();
    await page.goBack();
    await page.getByText('managedFields:').waitFor({ state: 'detached' });
    assert.deepEqual(browser.errors, []);
  });
});
