import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';

const CORE = '/api/v1/namespaces/default';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const WORD = 'correct horse battery staple';
const BINARY = Buffer.from([0, 0xff, 1]).toString('base64');
const LINES = Array.from({ length: 3_000 }, (_, i) => `option-${i} = on`).join('\n');

describe('values in the summary of an object', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    const data = {
      ...{ password: Buffer.from(WORD).toString('base64'), key: BINARY, nothing: '' },
      config: Buffer.from(LINES).toString('base64'),
    };
    const annotations = {
      ...{ [LAST_APPLIED]: `{"data":"${WORD}"}`, 'demo.example.com/short': 'a short note' },
      'demo.example.com/long': `begin${' word'.repeat(200)} end`,
    };
    for (const [path, object] of [
      ['secrets', { metadata: { name: 'hidden', annotations }, data }],
      ['configmaps', { metadata: { name: 'plain' }, data: { short: 'whole', lines: LINES } }],
    ] as const) {
      const { status, text } = await plinth.send('POST', `${CORE}/${path}`, object);
      assert.equal(status, 201, text);
    }
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const textOf = (page: Page): Promise<string> =>
    page.evaluate<string>('document.documentElement.outerHTML');
  const copied = (page: Page): Promise<string> =>
    page.evaluate<string>('navigator.clipboard.readText()');
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  it('of a Secret are hidden, and are shown and copied as what they are', async () => {
    const page = await browser.open('#/kind/core/v1/secrets/default/hidden');
    await page.getByText('28 bytes', { exact: true }).waitFor();
    await page.getByText('0 bytes', { exact: true }).waitFor();
    await page.getByText('3 bytes, not text').waitFor();
    await page.getByText(/^4\d(\.\d)? KiB$/).waitFor();
    const hidden = await textOf(page);
    for (const each of [WORD, Buffer.from(WORD).toString('base64'), BINARY, 'option-1']) {
      assert.ok(!hidden.includes(each), each);
    }
    await press(page, 'Copy password');
    assert.equal(await copied(page), WORD);
    await press(page, 'Copy key in base64');
    assert.equal(await copied(page), BINARY);
    await page.getByRole('button', { name: 'Reveal password' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(WORD, { exact: true }).waitFor();
    await press(page, 'Reveal key');
    await page.getByText(BINARY, { exact: true }).waitFor();
    await press(page, 'Reveal config');
    await page.getByText('option-1 = on').waitFor();
    assert.ok(!(await textOf(page)).includes('option-2999'));
    assert.deepEqual(await violationsOf(page), []);
    await press(page, 'Hide password');
    await page.getByText(WORD, { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(browser.errors, []);
  });

  it('are folded where they are long, and shown in steps', async () => {
    const page = await browser.open('#/kind/core/v1/configmaps/default/plain');
    await page.getByText('whole', { exact: true }).waitFor();
    await page.getByText('option-0 = on').waitFor();
    assert.ok(!(await textOf(page)).includes('option-5 = on'));
    await press(page, 'Show lines');
    await page.getByText('option-5 = on').waitFor();
    assert.ok(!(await textOf(page)).includes('option-2999'));
    await press(page, 'Show more of lines');
    await press(page, 'Show more of lines');
    await page.getByText('option-2999 = on').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show more of lines' }).count(), 0);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Fold');
    await press(page, 'Copy lines');
    assert.equal(await copied(page), LINES);
    await press(page, 'Fold lines');
    await page.getByText('option-5 = on').waitFor({ state: 'detached' });
  });

  it('of annotations are folded where they are long, and what kubectl has applied always', async () => {
    const page = await browser.open('#/kind/core/v1/secrets/default/hidden', { width: 360 });
    await page.getByText('a short note').waitFor();
    const folded = await textOf(page);
    assert.ok(!folded.includes('word word'));
    assert.ok(!folded.includes(`{"data":`));
    await press(page, `Show ${LAST_APPLIED}`);
    await page.getByText(`{"data":"${WORD}"}`).waitFor();
    await press(page, 'Show demo.example.com/long');
    await page.getByText(/word word end$/).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    const [wide, seen] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    assert.ok(wide <= seen, `${wide} of ${seen} pixels`);
  });
});
