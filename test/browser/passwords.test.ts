import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';

const ACCOUNTS = '/apis/demo.example.com/v1/namespaces/default/accounts';
const PASSWORD = { type: 'string', format: 'password' };
const WORDS = ['battery-staple', 'second-word', 'third-word'] as const;

describe('fields of format password in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    const properties = {
      ...{ user: { type: 'string' }, word: PASSWORD },
      older: { type: 'array', items: PASSWORD },
      others: { type: 'object', additionalProperties: PASSWORD },
    };
    await install(plinth, {
      ...{ plural: 'accounts', kind: 'Account', group: 'demo.example.com' },
      schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
    });
    await made(plinth, ACCOUNTS, {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Account', metadata: { name: 'one' } },
      spec: { user: 'ann', word: WORDS[0], older: [WORDS[1]], others: { site: WORDS[2] } },
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const textOf = (page: Page): Promise<string> =>
    page.evaluate<string>('document.documentElement.outerHTML');
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  it('are hidden in the summary, and shown and copied when asked for', async () => {
    const page = await browser.open('#/kind/demo.example.com/v1/accounts/default/one');
    await page.getByText('ann', { exact: true }).waitFor();
    const hidden = await textOf(page);
    for (const word of WORDS) assert.ok(!hidden.includes(word), word);
    await press(page, 'Copy word');
    assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), WORDS[0]);
    for (const [i, name] of ['word', 'older 1', 'site'].entries()) {
      await press(page, `Reveal ${name}`);
      await page.getByText(WORDS[i]!, { exact: true }).waitFor();
    }
    assert.deepEqual(await violationsOf(page), []);
    await press(page, 'Hide word');
    await page.getByText(WORDS[0], { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(browser.errors, []);
  });

  it('are hidden until the schema has been read', async () => {
    const page = await browser.open('#/');
    let letGo = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(/\/openapi\/v3\/apis\/demo/, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.goto(
      `${new URL(page.url()).origin}/console/#/kind/demo.example.com/v1/accounts/default/one`,
    );
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    const early = await textOf(page);
    for (const word of WORDS) assert.ok(!early.includes(word), word);
    letGo();
    await page.getByRole('button', { name: 'Reveal word' }).waitFor();
  });

  it('are typed unseen in a form, and shown when asked for', async () => {
    const page = await browser.open('#/new/demo.example.com/v1/accounts?namespace=default');
    await press(page, 'Form');
    const field = page.getByLabel('word', { exact: true });
    await field.fill('typed-word');
    assert.equal(await field.getAttribute('type'), 'password');
    await press(page, 'Show word');
    assert.equal(await field.getAttribute('type'), 'text');
    assert.equal(await field.inputValue(), 'typed-word');
    assert.deepEqual(await violationsOf(page), []);
    await press(page, 'Hide word');
    assert.equal(await field.getAttribute('type'), 'password');
    await press(page, 'YAML');
    await page.locator('.cm-line', { hasText: 'word: typed-word' }).waitFor();
    assert.deepEqual(browser.errors, []);
  });
});
