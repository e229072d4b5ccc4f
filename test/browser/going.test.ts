import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { CRDS, install } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { addUser, grant } from './users.ts';
import { DATABASES, furnish, make, TABLE } from './world.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

describe('what goes with a deletion, in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 0);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  async function database(name: string, metadata = {}): Promise<Owner> {
    await make(plinth, name, {}, metadata);
    const { json } = await plinth.get(`${DATABASES}/${name}`);
    return { apiVersion: 'demo.example.com/v1', kind: 'Database', name, uid: json.metadata.uid };
  }

  async function owned(kind: 'ConfigMap' | 'Secret', name: string, by: Owner[]): Promise<Owner> {
    const path = MAPS.replace('configmaps', kind === 'Secret' ? 'secrets' : 'configmaps');
    const metadata = { name, ownerReferences: by };
    const { status, json, text } = await plinth.send('POST', path, { metadata });
    assert.equal(status, 201, text);
    return { apiVersion: 'v1', kind, name, uid: json.metadata.uid };
  }

  async function asked(hash: string, options = {}): Promise<[Page, Locator]> {
    const page = await browser.open(hash, options);
    await page.getByRole('button', { name: 'Delete' }).click();
    return [page, page.getByRole('dialog')];
  }

  const databaseHash = (name: string): string =>
    `#/kind/demo.example.com/v1/databases/default/${name}`;
  const button = (dialog: Locator): Locator => dialog.getByRole('button', { name: 'Delete' });

  it('is counted by kind through all generations, and stays with other owners', async () => {
    const [top, other] = [await database('top'), await database('other')];
    const first = await owned('ConfigMap', 'first', [{ ...top, blockOwnerDeletion: true }]);
    const second = await owned('Secret', 'second', [first]);
    await owned('ConfigMap', 'third', [second, top]);
    await owned('ConfigMap', 'common', [second, other]);
    const [page, dialog] = await asked(databaseHash('top'));
    await dialog.getByText('3 objects go with it.', { exact: true }).waitFor();
    await dialog.getByText('Owned by it, through 3 generations:').waitFor();
    await dialog.getByText('2 ConfigMap first, third').waitFor();
    await dialog.getByText('1 Secret second').waitFor();
    await dialog.getByLabel('What stays with other owners: 1').getByText('common').waitFor();
    await dialog.getByText('until those that block the deletion are gone: 1 of 2.').waitFor();
    await dialog.getByLabel('Keep them').check();
    await dialog.getByText('Nothing else goes with it.', { exact: true }).waitFor();
    await dialog.getByText('2 objects, and all that these own').waitFor();
    assert.equal(await dialog.getByText('through 3 generations').count(), 0);
    await dialog.getByLabel('Delete them afterwards').check();
    await button(dialog).click();
    await page.getByText('This object was deleted').waitFor();
    await eventually(
      async () => (await plinth.get(`${MAPS}/third`)).status === 404,
      'the last generation goes',
    );
    assert.equal((await plinth.get(`${MAPS}/common`)).status, 200);
    assert.deepEqual(browser.errors, []);
  });

  it('has its name typed when many go, and can be answered by keyboard alone', async () => {
    const top = await database('crowded', { finalizers: ['demo.example.com/backup'] });
    for (let i = 0; i < 6; i++) await owned('ConfigMap', `part-${i}`, [top]);
    const [page, dialog] = await asked(databaseHash('crowded'));
    await dialog.getByText('6 objects go with it.').waitFor();
    await dialog.getByText('part-0, part-1, part-2, part-3, part-4 and 1 more').waitFor();
    assert.equal(await button(dialog).isDisabled(), true);
    await dialog.getByLabel('Keep them').check();
    await eventually(() => button(dialog).isEnabled(), 'nothing goes: nothing is to be typed');
    await dialog.getByLabel('Delete them first').check();
    const field = dialog.getByLabel('Type crowded to confirm');
    await field.focus();
    await page.keyboard.type('crowde');
    await page.keyboard.press('Enter');
    assert.equal(await button(dialog).isDisabled(), true);
    assert.equal(
      (await plinth.get(`${DATABASES}/crowded`)).json.metadata.deletionTimestamp,
      undefined,
    );
    await page.keyboard.type('d');
    const deletion = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.keyboard.press('Enter');
    assert.equal((await deletion).postDataJSON().propagationPolicy, 'Foreground');
    await page.getByText('The deletion of Database crowded has begun').waitFor();
  });

  it('is everything in a namespace', async () => {
    await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    const maps = MAPS.replace('default', 'team');
    for (let i = 0; i < 7; i++) await plinth.send('POST', maps, { metadata: { name: `m-${i}` } });
    await plinth.send('POST', DATABASES.replace('default', 'team'), {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name: 'theirs' } },
      spec: { engine: 'mysql' },
    });
    const [page, dialog] = await asked('#/kind/core/v1/namespaces//team');
    await dialog.getByText(/^\d+ objects go with it\.$/).waitFor();
    await dialog.getByText(/^[78] ConfigMap .* and \d more$/).waitFor();
    await dialog.getByText('1 Database theirs').waitFor();
    assert.equal(await dialog.getByText(/owns no|Nothing|Unknown/).count(), 0);
    assert.equal(await button(dialog).isDisabled(), true);
    await dialog.getByLabel('Type team to confirm').fill('team');
    await button(dialog).click();
    await page.getByText('This object was deleted').waitFor();
  });

  it('is all objects of a definition, and what these own', async () => {
    await install(plinth, { plural: 'gadgets', kind: 'Gadget', group: 'demo.example.com' });
    await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'far' } });
    let owner: Owner | undefined;
    for (const [namespace, name] of [
      ['default', 'one'],
      ['default', 'two'],
      ['far', 'three'],
    ]) {
      const path = `/apis/demo.example.com/v1/namespaces/${namespace}/gadgets`;
      const gadget = { apiVersion: 'demo.example.com/v1', kind: 'Gadget' };
      const { json, text } = await plinth.send('POST', path, { ...gadget, metadata: { name } });
      owner ??= { ...gadget, name: 'one', uid: json.metadata?.uid ?? assert.fail(text) };
    }
    await owned('ConfigMap', 'of-one', [owner ?? assert.fail()]);
    const name = 'gadgets.demo.example.com';
    const [page, dialog] = await asked(
      `#/kind/apiextensions.cluster.io/v1/customresourcedefinitions//${name}`,
    );
    await dialog.getByText('4 objects go with it.').waitFor();
    await dialog.getByText('3 objects of the kind Gadget, in 2 namespaces.').waitFor();
    await dialog.getByText('1 ConfigMap default/of-one').waitFor();
    assert.equal(await dialog.getByRole('radio').count(), 0);
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await button(dialog).click();
    await page.getByText('This object was deleted').waitFor();
    assert.equal((await plinth.get(`${CRDS}/${name}`)).status, 404);
    await eventually(
      async () => (await plinth.get(`${MAPS}/of-one`)).status === 404,
      'what an object owned goes',
    );
  });

  it('is found for many selected objects, and is not one of them', async () => {
    const labels = { bulk: 'yes' };
    const all: Owner[] = [];
    for (let i = 0; i < 60; i++) all.push(await database(`bulk-${i}`, { labels }));
    await owned('ConfigMap', 'of-the-last', [all[59] ?? assert.fail()]);
    await database('bulk-child', { labels, ownerReferences: [all[0]] });
    const page = await browser.open(`${TABLE}?labels=bulk%3Dyes`);
    await page.getByLabel('Select bulk-0', { exact: true }).click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByLabel('Select bulk-child').waitFor();
    await page.keyboard.press('Shift+Space');
    await page.getByText('61 selected').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 61 databases?' });
    await dialog.getByText('1 object goes with them.').waitFor();
    await dialog.getByText('1 ConfigMap of-the-last').waitFor();
    await button(dialog).click();
    await page.getByText('Deleted 61 databases').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('is unknown where the user may not look, and where the server does not answer', async () => {
    const top = await database('seen');
    await owned('ConfigMap', 'plain', [top]);
    await owned('Secret', 'hidden', [top]);
    const kubeconfig = addUser(plinth, 'ann');
    await grant(plinth, 'ann', 'default', [
      { apiGroups: ['demo.example.com'], resources: ['databases'], verbs: ['*'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    ]);
    const [, dialog] = await asked(databaseHash('seen'), { kubeconfig });
    await dialog.getByText('At least 1 object goes with it.').waitFor();
    await dialog.getByText('1 ConfigMap plain').waitFor();
    await dialog
      .getByText(/^Unknown, since you may not list them: .* and \d+ more kinds\.$/)
      .waitFor();
    assert.equal(await dialog.getByText('hidden').count(), 0);

    const page = await browser.open(databaseHash('seen'));
    const path = '**/apis/query.cluster.io/v1/snapshot*';
    await page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'Busy.' } }));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('What goes with it is unknown: Busy.').waitFor();
    await page.getByLabel('Type seen to confirm').waitFor();
    await page.unroute(path);
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('2 objects go with it.').waitFor();
    assert.equal(await page.getByLabel('Type seen to confirm').count(), 0);
  });
});
