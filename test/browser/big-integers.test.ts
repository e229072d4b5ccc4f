import assert from 'node:assert/strict';
import { install, MERGE, patched } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';

const LEDGERS = '/apis/demo.example.com/v1/namespaces/default/ledgers';
const KIND = '#/kind/demo.example.com/v1/ledgers';
const BIG = '9007199254740993';
const NEXT = '9007199254740995';
const MOST = '9223372036854775807';
const INTEGER = { type: 'integer', format: 'int64' };

describe('integers above 2^53 in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    const fields = {
      big: INTEGER,
      list: { type: 'array', items: INTEGER },
      note: { type: 'string' },
    };
    await install(plinth, {
      ...{ plural: 'ledgers', kind: 'Ledger', group: 'demo.example.com' },
      schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
      version: {
        additionalPrinterColumns: [{ name: 'Big', type: 'integer', jsonPath: '.spec.big' }],
      },
    });
    const text = `{"apiVersion":"demo.example.com/v1","kind":"Ledger","metadata":{"name":"one"},
      "spec":{"big":${BIG},"list":[${MOST}],"note":"kept"}}`;
    const { status, text: answer } = await plinth.send('POST', LEDGERS, text);
    assert.equal(status, 201, answer);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const setBig = async (value: string): Promise<void> => {
    const { status, text } = await patched(
      plinth,
      `${LEDGERS}/one`,
      MERGE,
      `{"spec":{"big":${value}}}`,
    );
    assert.equal(status, 200, text);
  };

  it('keep every digit in the summary, also when they change', async () => {
    await setBig(BIG);
    const page = await browser.open(`${KIND}/default/one`);
    await page.getByText(BIG, { exact: true }).waitFor();
    await page.getByText(MOST, { exact: true }).waitFor();
    await setBig(NEXT);
    await page.getByText(NEXT, { exact: true }).waitFor();
    await page.getByText(MOST, { exact: true }).waitFor();
    assert.deepEqual(browser.errors, []);
  });

  it('keep every digit in a column of a table, also when they change', async () => {
    await setBig(BIG);
    const page = await browser.open(KIND);
    await page.getByRole('gridcell', { name: BIG, exact: true }).waitFor();
    await setBig(NEXT);
    await page.getByRole('gridcell', { name: NEXT, exact: true }).waitFor();
    assert.deepEqual(browser.errors, []);
  });

  it('keep every digit when another field is edited', async () => {
    await setBig(BIG);
    const page = await browser.open(`${KIND}/default/one?tab=edit`);
    const line = page.locator('.cm-line', { hasText: 'note: kept' });
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.type('-here');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByLabel('Take mine').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved one').waitFor();
    const { text } = await plinth.get(`${LEDGERS}/one`);
    assert.ok(text.includes(`"big":${BIG}`), text);
    assert.ok(text.includes('kept-here'), text);
    assert.deepEqual(browser.errors, []);
  });
});
