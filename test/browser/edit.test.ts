import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { DATABASES } from './world.ts';

const OBJECTS = '#/kind/demo.example.com/v1/databases/default';
/** The manager of fields that are written in the console. */
const OURS = 'plinth-console';
const NEW = '#/new/demo.example.com/v1/databases?namespace=default';

describe('editing in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnishEstate(plinth, 8);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const line = (page: Page, text: string) => page.locator('.cm-line', { hasText: text });

  /** Replaces the end of a line. */
  async function retype(page: Page, before: string, old: string, text: string): Promise<void> {
    await line(page, before + old).click();
    await page.keyboard.press('End');
    for (const _ of old) await page.keyboard.press('Backspace');
    await page.keyboard.type(text);
    await page.keyboard.press('Escape');
  }

  async function edit(name: string): Promise<Page> {
    const page = await browser.open(`${OBJECTS}/${name}?tab=edit`);
    await line(page, 'engine: postgres').waitFor();
    return page;
  }

  const review = (page: Page) => page.getByRole('button', { name: 'Review changes' }).click();
  const replicasOf = async (name: string): Promise<number> =>
    (await plinth.get(`${DATABASES}/${name}`)).json.spec.replicas;

  /** Takes the field over, or makes the object: another program, or the console itself. */
  async function apply(name: string, replicas: number, manager = 'autoscaler'): Promise<void> {
    const { status, text } = await plinth.send(
      'PATCH',
      `${DATABASES}/${name}?fieldManager=${manager}&force=true`,
      {
        ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name } },
        spec: { engine: 'postgres', replicas },
      },
      { 'content-type': 'application/apply-patch+yaml' },
    );
    assert.ok(status < 300, text);
  }

  it('shows what the server would change, and saves it', async () => {
    await apply('mine-1', 2, OURS);
    const page = await edit('mine-1');
    await retype(page, 'replicas: ', '2', '5');
    await review(page);
    const dialog = page.getByRole('dialog', { name: 'What would change' });
    await dialog.locator('.added').first().waitFor();
    assert.match((await dialog.locator('.removed').allInnerTexts()).join(), /replicas: 2/);
    assert.match((await dialog.locator('.added').allInnerTexts()).join(), /replicas: 5/);
    assert.equal(await replicasOf('mine-1'), 2);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved mine-1').waitFor();
    assert.equal(await replicasOf('mine-1'), 5);
  });

  it('begins on any tab of an object', async () => {
    const page = await browser.open(`${OBJECTS}/db-001?tab=summary`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await line(page, 'engine: postgres').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0);
    await page.getByRole('link', { name: 'Managed fields' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
  });

  it('shows the owner of a field and leaves the choice, and keeps what was typed', async () => {
    await apply('db-002', 6);
    const page = await edit('db-002');
    await retype(page, 'replicas: ', '6', '4');
    await review(page);
    const dialog = page.getByRole('dialog', { name: 'Others have a say' });
    await dialog.getByText('"autoscaler"').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Go on' }).isDisabled());
    await dialog.getByRole('button', { name: 'Back to the editor' }).click();
    await line(page, 'replicas: 4').waitFor();
    await review(page);
    await dialog.getByLabel('Take mine').click();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved db-002').waitFor();
    assert.equal(await replicasOf('db-002'), 4);
  });

  it('asks where the object has changed meanwhile, and keeps theirs when told so', async () => {
    const page = await edit('db-003');
    await retype(page, 'replicas: ', '4', '9');
    await retype(page, 'tier: ', 'gold', 'silver');
    await apply('db-003', 3);
    await page.getByText('Changed on the server meanwhile').waitFor();
    await review(page);
    const dialog = page.getByRole('dialog', { name: 'Others have a say' });
    await dialog.getByText('changed on the server since you began').waitFor();
    await dialog.getByLabel('Keep theirs').click();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText('"unknown"').waitFor();
    await dialog.getByLabel('Take mine').click();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved db-003').waitFor();
    const { json } = await plinth.get(`${DATABASES}/db-003`);
    assert.deepEqual([json.spec.replicas, json.metadata.labels.tier], [3, 'silver']);
  });

  it('keeps what was typed when the server refuses it, and when the page is loaded again', async () => {
    await apply('mine-2', 5, OURS);
    const page = await edit('mine-2');
    await retype(page, 'replicas: ', '5', '8');
    await review(page);
    await page.getByText('at most 7 copies').first().waitFor();
    await line(page, 'replicas: 8').waitFor();
    await page.reload();
    await line(page, 'replicas: 8').waitFor();
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await line(page, 'replicas: 5').waitFor();
  });

  it('creates from the schema, with completion by keys, and no letter is a command', async () => {
    const page = await browser.open(NEW);
    await line(page, 'name: ""').click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('made-here-g-t-v-x-j');
    await line(page, 'engine: postgres').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('repl');
    await page.getByRole('option', { name: 'replicas' }).waitFor();
    await page.keyboard.press('Enter');
    await line(page, 'replicas: ').waitFor();
    await page.keyboard.type('3');
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog', { name: 'What would be created' });
    await dialog.getByText('replicas: 3').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Database made-here-g-t-v-x-j' }).waitFor();
    assert.equal(await replicasOf('made-here-g-t-v-x-j'), 3);
    assert.deepEqual(browser.errors, []);
  });

  it('creates by a form', async () => {
    const page = await browser.open(NEW);
    await line(page, 'engine: postgres').waitFor();
    await page.getByRole('button', { name: 'Form' }).click();
    await page.getByRole('textbox', { name: 'name' }).first().fill('by-form');
    await page.getByLabel('engine').selectOption('mysql');
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog', { name: 'What would be created' });
    await dialog.getByText('engine: mysql').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Database by-form' }).waitFor();
  });

  it('says what goes with an object that is deleted', async () => {
    const page = await browser.open(`${OBJECTS}/db-000`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Database db-000?' });
    await dialog.getByText('2 objects go with it.').waitFor();
    await dialog.getByText('1 ConfigMap db-000-settings').waitFor();
    await dialog.getByText('1 Secret db-000-password').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Database db-000').waitFor();
    await eventually(async () => {
      const path = '/api/v1/namespaces/default/configmaps/db-000-settings';
      return (await plinth.get(path)).status === 404;
    }, 'what it owned is gone');
  });

  it('keeps what was typed in sight while the server is away', async () => {
    const page = await edit('db-001');
    await page.getByText('Live', { exact: true }).waitFor();
    await retype(page, 'engine: ', 'postgres', 'mysql');
    await plinth.stop();
    await page.getByText('Disconnected').waitFor();
    await line(page, 'engine: mysql').waitFor();
    await plinth.start();
    await page.getByText('Live', { exact: true }).waitFor();
    await line(page, 'engine: mysql').waitFor();
  });
});
