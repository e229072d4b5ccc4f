import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';

const NEW = '#/new/demo.example.com/v1/jobs?namespace=default&as=form';
const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size', 'team'],
      properties: {
        size: { type: 'integer', multipleOf: 5, description: 'Places.' },
        team: { type: 'string', pattern: '^[a-z]+$' },
        due: { type: 'string', format: 'date-time', description: 'When it must be done.' },
      },
    },
  },
};

describe('the form of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, {
      ...{ plural: 'jobs', kind: 'Job', group: 'demo.example.com', schema: SCHEMA },
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const field = (page: Page, label: string) => page.locator('form').getByLabel(label).first();
  const review = (page: Page) => page.getByRole('button', { name: 'Review' }).click();

  /** Whether a field is marked, and the text that describes it. */
  const marksOf = (page: Page, label: string): Promise<[string | null, string]> =>
    field(page, label).evaluate((input: any) => [
      input.getAttribute('aria-invalid'),
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id: string) => input.ownerDocument.getElementById(id)?.textContent ?? '')
        .join(' '),
    ]);

  for (const theme of ['light', 'dark'] as const) {
    it(`marks what the server does not take, and goes to the first, ${theme}`, async () => {
      const page = await browser.open(NEW, { theme });
      await field(page, 'size').fill('7');
      await field(page, 'team').fill('A team');
      assert.deepEqual(await marksOf(page, 'size'), [null, 'Places. a multiple of 5']);
      await review(page);
      const list = page.getByRole('alert');
      await list.getByText('spec.size', { exact: true }).waitFor();
      await list.getByText('metadata.name', { exact: true }).waitFor();
      assert.equal((await marksOf(page, 'name'))[0], 'true');
      const [isInvalid, text] = await marksOf(page, 'size');
      assert.equal(isInvalid, 'true');
      assert.match(text, /multiple of 5.* Places\./);
      assert.match((await marksOf(page, 'team'))[1], /should match/);
      assert.equal((await marksOf(page, 'due'))[0], null);
      assert.ok(await field(page, 'name').evaluate((input: any) => input.matches(':focus')));
      assert.deepEqual(await violationsOf(page), []);
      // typing goes on in the field, which is marked until it changes
      await page.keyboard.type('by-form');
      assert.equal((await marksOf(page, 'name'))[0], null);
      assert.equal(await field(page, 'name').inputValue(), 'by-form');
      await review(page);
      await list.getByText('metadata.name', { exact: true }).waitFor({ state: 'detached' });
      await list.getByText('spec.size', { exact: true }).waitFor();
      assert.ok(await field(page, 'size').evaluate((input: any) => input.matches(':focus')));
    });
  }

  it('marks a required field that was left out', async () => {
    const page = await browser.open(NEW);
    await field(page, 'name').fill('left-out');
    await field(page, 'team').fill('a');
    await field(page, 'size').fill('');
    await review(page);
    await page.locator('input[aria-invalid]').waitFor();
    assert.match((await marksOf(page, 'size'))[1], /Required value/);
    assert.equal(await page.locator('[aria-invalid]').count(), 1);
  });

  it('takes moments by date and time, and writes them as the API does', async () => {
    const page = await browser.open(NEW);
    await field(page, 'name').fill('timed');
    await field(page, 'team').fill('a');
    assert.equal(await field(page, 'due').getAttribute('type'), 'datetime-local');
    await field(page, 'due').fill('2027-05-06T07:08:09');
    await review(page);
    const dialog = page.getByRole('dialog', { name: 'What would be created' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Job timed' }).waitFor();
    const { json } = await plinth.get('/apis/demo.example.com/v1/namespaces/default/jobs/timed');
    const local = await page.evaluate<string>('new Date(2027, 4, 6, 7, 8, 9).toISOString()');
    assert.equal(json.spec.due, local.replace('.000Z', 'Z'));
    assert.deepEqual(browser.errors, []);
  });
});
