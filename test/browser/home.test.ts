import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { addUser, grant, grantEverywhere, made } from './users.ts';
import { furnish, TABLE } from './world.ts';

const DATABASES = ['demo.example.com', 'databases'] as const;
const CONFIGMAPS = ['', 'configmaps'] as const;
const READ = ['get', 'list', 'watch'];

const rule = ([group, resource]: readonly [string, string], verbs: readonly string[]) => ({
  ...{ apiGroups: [group], resources: [resource], verbs },
});

describe('the home of a user whose rights are few', () => {
  let plinth: Plinth;
  let browser: TestBrowser;

  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 0);
    for (const name of ['team', 'other', 'third']) {
      await made(plinth, '/api/v1/namespaces', { metadata: { name } });
    }
    for (const name of ['one', 'two']) await makeDatabase('team', name);
    await makeDatabase('other', 'far');
    await made(plinth, '/api/v1/namespaces/team/configmaps', { metadata: { name: 'colours' } });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  async function makeDatabase(namespace: string, name: string): Promise<void> {
    await made(plinth, `/apis/demo.example.com/v1/namespaces/${namespace}/databases`, {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name } },
      spec: { engine: 'postgres' },
    });
  }

  /** Headings of groups and names of kinds that the sidebar shows. */
  async function offered(page: Page): Promise<[groups: string[], kinds: string[]]> {
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    return [
      await sidebar.getByRole('heading').allInnerTexts(),
      await sidebar.locator('section a').allInnerTexts(),
    ];
  }

  async function inPalette(page: Page, text: string): Promise<string[]> {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(text);
    const found = await page.getByRole('dialog').getByRole('option').allInnerTexts();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return found.map((each) => each.replaceAll('\n', ' '));
  }

  const tile = (page: Page, kind: string) =>
    page.locator('.tiles li').filter({ hasText: kind }).locator('strong');

  async function shows(page: Page, kind: string, count: number): Promise<void> {
    await eventually(
      async () => (await tile(page, kind).allInnerTexts()).join() === String(count),
      `${count} of ${kind}`,
    );
  }

  it('without any right says so, what to ask for, and finds the right once it is there', async () => {
    const kubeconfig = addUser(plinth, 'none');
    for (const theme of ['light', 'dark'] as const) {
      const narrow = await browser.open('#/overview', { kubeconfig, theme, width: 360 });
      await narrow.getByText('kubectl create rolebinding').waitFor();
      assert.deepEqual(await violationsOf(narrow), []);
      assert.ok(await narrow.evaluate<boolean>('document.body.scrollWidth <= innerWidth'));
    }
    const page = await browser.open('#/overview', { kubeconfig });
    await page.getByRole('heading', { name: 'You see nothing yet' }).waitFor();
    await page.getByText(/kubectl create rolebinding none-view .*--user='none'/).waitFor();
    await page.getByText('Idle', { exact: true }).waitFor();
    assert.deepEqual(await offered(page), [[], []]);
    assert.deepEqual(await inPalette(page, 'secret'), []);
    assert.deepEqual(await inPalette(page, 'graphs'), []);
    assert.deepEqual(await violationsOf(page), []);
    await grant(plinth, 'none', 'third', [rule(CONFIGMAPS, READ)]);
    await page.getByLabel('Name of a namespace').fill('third');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('1 kind without objects').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    assert.deepEqual(await offered(page), [['Core'], ['ConfigMap']]);
  });

  it('is the namespace that holds rights: counts, live log, sidebar and palette are of it', async () => {
    const kubeconfig = addUser(plinth, 'ann');
    await grant(plinth, 'ann', 'team', [rule(DATABASES, READ)]);
    const page = await browser.open('#/overview', { kubeconfig });
    await page.getByRole('heading', { name: 'Choose a namespace' }).waitFor();
    await page.getByRole('link', { name: 'team', exact: true }).click();
    await shows(page, 'Database', 2);
    assert.equal(await page.evaluate('location.hash'), '#/overview?namespace=team');
    assert.deepEqual(await offered(page), [['demo.example.com'], ['Database']]);
    assert.deepEqual(await inPalette(page, 'secret'), []);
    assert.deepEqual(await inPalette(page, 'database'), ['Database demo.example.com']);
    await page.getByText('You may not see: loops, API services, webhooks.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.log[aria-busy="false"]').waitFor();
    await makeDatabase('other', 'elsewhere');
    await makeDatabase('team', 'three');
    await page.locator('.log li').filter({ hasText: 'team/three' }).waitFor();
    await shows(page, 'Database', 3);
    assert.equal(await page.locator('.log li').count(), 1);
    await tile(page, 'Database').click();
    await page.getByRole('link', { name: 'three' }).waitFor();
    // the next visit begins there, whatever was typed since
    await page.getByRole('combobox', { name: 'Namespace' }).fill('mistyped');
    await page.getByRole('combobox', { name: 'Namespace' }).press('Enter');
    await page.goto(`${plinth.url}/console/#/overview?namespace=mistyped`);
    await page.getByRole('heading', { name: 'You see nothing in mistyped' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'team', exact: true }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${plinth.url}/console/#/overview`);
    await shows(page, 'Database', 3);
    assert.deepEqual(browser.errors, []);
  });

  it('changes with the namespace, which is chosen or typed', async () => {
    const kubeconfig = addUser(plinth, 'bob');
    await grant(plinth, 'bob', 'team', [rule(DATABASES, READ)]);
    await grant(plinth, 'bob', 'third', [rule(CONFIGMAPS, ['list', 'watch', 'create'])]);
    const page = await browser.open('#/overview', { kubeconfig });
    const box = page.getByRole('combobox', { name: 'Namespace' });
    await box.click();
    await page.getByText('You may not list namespaces: type the name of one.').waitFor();
    await page.getByRole('option', { name: 'team' }).click();
    await shows(page, 'Database', 2 + 1);
    await box.fill('third');
    await box.press('Enter');
    await page.getByText('1 kind without objects').waitFor();
    assert.deepEqual(await offered(page), [['Core'], ['ConfigMap']]);
    assert.deepEqual(await inPalette(page, 'create'), ['Create ConfigMap command']);
    await box.click();
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), [
      ...['No namespace', 'third', 'team'],
    ]);
    // a deep link without a namespace says where to look
    await page.goto(`${plinth.url}/console/${TABLE}`);
    await page.getByText('You may not see databases of all namespaces at once').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'team' }).click();
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
  });

  it('opens by name what may be read but not listed', async () => {
    const kubeconfig = addUser(plinth, 'cid');
    const named = { ...rule(CONFIGMAPS, ['get', 'watch']), resourceNames: ['colours'] };
    await grant(plinth, 'cid', 'team', [named, rule(DATABASES, ['get'])]);
    const page = await browser.open('#/overview?namespace=team', { kubeconfig });
    await page.getByText('2 kinds that you may open by name, not list').click();
    await page.getByRole('main').getByRole('link', { name: 'ConfigMap' }).click();
    await page.getByRole('heading', { name: 'Open configmaps by name' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open' }).count(), 0);
    await page.getByRole('link', { name: 'colours' }).click();
    await page.getByRole('heading', { name: 'ConfigMap colours' }).waitFor();
    await page.getByRole('link', { name: 'Database', exact: true }).click();
    await page.getByLabel('Name of a Database').fill('two');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Database two' }).waitFor();
  });

  it('shows what may be listed but not watched, and says that it stands still', async () => {
    const kubeconfig = addUser(plinth, 'dan');
    await grant(plinth, 'dan', 'team', [rule(DATABASES, ['list'])]);
    const page = await browser.open(`${TABLE}?namespace=team`, { kubeconfig });
    await page.getByRole('link', { name: 'one', exact: true }).waitFor();
    const again = page.getByRole('button', { name: 'Not live: read again' });
    await again.waitFor();
    await makeDatabase('team', 'late');
    await again.click();
    await page.getByRole('link', { name: 'late' }).waitFor();
    await page.getByText('Idle', { exact: true }).waitFor();
    await page.goto(`${plinth.url}/console/#/overview?namespace=team`);
    await page.getByText('Not followed, since you may list but not watch: Database.').waitFor();
    assert.equal(await page.getByText('Connecting…').count(), 0);
  });

  it('of one who may view everything has all namespaces, and no writes', async () => {
    const kubeconfig = addUser(plinth, 'eve');
    await grantEverywhere(plinth, 'eve', 'view');
    const page = await browser.open('#/overview', { kubeconfig });
    await tile(page, 'Namespace').or(tile(page, 'ConfigMap')).first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.log[aria-busy="false"]').waitFor();
    assert.deepEqual(await inPalette(page, 'create configmap'), []);
    const box = page.getByRole('combobox', { name: 'Namespace' });
    assert.equal(await box.getAttribute('placeholder'), 'All namespaces');
    await box.fill('tea');
    await page.getByRole('option', { name: 'team' }).click();
    await shows(page, 'ConfigMap', 1);
    assert.equal(await tile(page, 'Namespace').count(), 0);
    assert.equal(await page.getByRole('main').getByText('You may not see').count(), 1);
  });
});
