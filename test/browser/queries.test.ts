import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/blocks.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';

const PAGE = 'docs/queries.md';
const BLOCK = /<!-- executed by test\/browser\/queries\.test\.ts -->\n```js\n(.*?)```/s;

describe(`the program for browsers in ${PAGE}`, () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    browser = await TestBrowser.start(plinth);
  });
  after(async () => {
    await browser.closePages();
    await plinth.dispose();
  });

  it('shows the state and the changes of several resources on one connection', async () => {
    const [, program = ''] = BLOCK.exec(readFileSync(join(ROOT, PAGE), 'utf8')) ?? [];
    assert.match(program, /new WebSocket/);
    const page = await browser.open('#/');
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    await page.evaluate(program);
    await eventually(
      () => ['maps', 'leases'].every((id) => printed.includes(`${id} BOOKMARK `)),
      'the states',
    );
    const body = { metadata: { name: 'seen' } };
    await plinth.send('POST', '/api/v1/namespaces/default/configmaps', body);
    await eventually(() => printed.includes('maps ADDED seen'), 'the change');
  });
});
