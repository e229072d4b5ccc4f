import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { install, MERGE, patched } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { addUser, grant, made } from './users.ts';

const FARMS = '/apis/demo.example.com/v1/namespaces/default/farms';
const OBJECTS = '#/kind/demo.example.com/v1/farms/default';
const COUNT = { type: 'integer', minimum: 0 };
const FIELDS = {
  spec: { type: 'object', properties: { copies: { ...COUNT, maximum: 9 } } },
  status: { type: 'object', properties: { copies: COUNT } },
};

describe('the scale of an object in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, {
      ...{ plural: 'farms', kind: 'Farm', group: 'demo.example.com' },
      schema: { type: 'object', properties: FIELDS },
      version: {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.copies', statusReplicasPath: '.status.copies' },
        },
      },
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const make = (name: string, spec: object): Promise<void> =>
    made(plinth, FARMS, {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Farm', metadata: { name }, spec },
    });
  const wantedBy = async (name: string): Promise<number> =>
    (await plinth.get(`${FARMS}/${name}`)).json.spec.copies;
  const set = async (path: string, change: object): Promise<void> => {
    const { status, text } = await patched(plinth, `${FARMS}/${path}`, MERGE, change);
    assert.equal(status, 200, text);
  };
  const shown = (page: Page, current: number, wanted: number): Promise<void> =>
    page
      .getByRole('region', { name: 'Scale' })
      .filter({ hasText: new RegExp(`Current\\s*${current}\\s*Wanted\\s*${wanted}(?!\\d)`) })
      .waitFor();
  const field = (page: Page) => page.getByLabel('Replicas', { exact: true });
  const apply = (page: Page) => page.getByRole('button', { name: 'Apply' }).click();

  it('shows the replicas live, and sets those that are wanted', async () => {
    await make('north', { copies: 2 });
    const page = await browser.open(`${OBJECTS}/north`, { width: 360 });
    await shown(page, 0, 2);
    assert.deepEqual(await violationsOf(page), []);
    await field(page).fill('5');
    await field(page).press('Enter');
    await shown(page, 0, 5);
    assert.equal(await wantedBy('north'), 5);
    await set('north/status', { status: { copies: 4 } });
    await shown(page, 4, 5);
    await set('north', { spec: { copies: 3 } });
    await shown(page, 4, 3);
    assert.equal(await field(page).inputValue(), '3');
    assert.deepEqual(browser.errors, []);
  });

  it('sets the first wish, and comes down to none', async () => {
    await make('east', {});
    const page = await browser.open(`${OBJECTS}/east`);
    await page.getByText('does not exist').waitFor();
    await field(page).fill('1');
    await apply(page);
    await shown(page, 0, 1);
    await field(page).fill('0');
    await apply(page);
    await shown(page, 0, 0);
    assert.equal(await wantedBy('east'), 0);
  });

  it('says why the server refuses, and keeps what was typed', async () => {
    await make('south', { copies: 2 });
    const page = await browser.open(`${OBJECTS}/south`);
    await shown(page, 0, 2);
    await field(page).fill('12');
    await apply(page);
    await page.getByRole('alert').filter({ hasText: 'less than or equal to 9' }).waitFor();
    assert.equal(await field(page).inputValue(), '12');
    assert.equal(await wantedBy('south'), 2);
  });

  it('asks again where others want another number, and only there', async () => {
    await make('west', { copies: 2 });
    const page = await browser.open(`${OBJECTS}/west`);
    await shown(page, 0, 2);
    await field(page).fill('7');
    let change = { spec: { copies: 4 } } as object;
    // just before the request comes to the server
    await page.route(/\/scale\?fieldManager/, async (route) => {
      await set('west', change);
      await page.unroute(/\/scale\?fieldManager/);
      await route.continue();
    });
    await apply(page);
    await page.getByRole('alert').filter({ hasText: 'Meanwhile 4 are wanted' }).waitFor();
    assert.equal(await field(page).inputValue(), '7');
    assert.equal(await wantedBy('west'), 4);
    change = { metadata: { labels: { tier: 'gold' } } };
    await page.route(/\/scale\?fieldManager/, async (route) => {
      await set('west', change);
      await page.unroute(/\/scale\?fieldManager/);
      await route.continue();
    });
    await apply(page);
    await shown(page, 0, 7);
    assert.equal(await wantedBy('west'), 7);
    assert.deepEqual(browser.errors, []);
  });

  it('is shown to those who may see it, and set by those who may patch it', async () => {
    await make('far', { copies: 2 });
    const rule = (resources: string[], verbs: string[]) => ({
      ...{ apiGroups: ['demo.example.com'], resources, verbs },
    });
    const ann = addUser(plinth, 'ann');
    await grant(plinth, 'ann', 'default', [rule(['farms', 'farms/scale'], ['get', 'watch'])]);
    const bob = addUser(plinth, 'bob');
    await grant(plinth, 'bob', 'default', [rule(['farms'], ['get', 'watch', 'patch'])]);
    const hers = await browser.open(`${OBJECTS}/far`, { kubeconfig: ann });
    await shown(hers, 0, 2);
    assert.equal(await field(hers).count(), 0);
    const his = await browser.open(`${OBJECTS}/far`, { kubeconfig: bob });
    await his.getByRole('heading', { name: 'Metadata' }).waitFor();
    assert.equal(await his.getByRole('region', { name: 'Scale' }).count(), 0);
  });
});
