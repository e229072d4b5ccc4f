import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const TOKEN = 'token-of-ann-0123456789';
/** What a shell takes for its own, unless it is quoted. */
const VALUE = `it's $HOME "quoted" & \\ more`;
const shell = promisify(execFile);

describe('the API explorer of the console', () => {
  let folder: string;
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-explorer-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},ann,ann,"system:masters"\n`);
    plinth = await Plinth.start({ args: ['--token-auth-file', tokens] });
    // the commands are for the folder in which `npm start` keeps its data
    symlinkSync(plinth.dataDir, join(folder, 'data'));
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(async () => {
    await plinth.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The form of an operation of the core group. */
  async function operation(id: string, width = 1280, height = 800): Promise<Page> {
    const address = `#/explorer?document=api%2Fv1&operation=${encodeURIComponent(id)}`;
    const page = await browser.open(address, { width, height });
    await page.getByRole('heading', { name: 'API explorer' }).waitFor();
    await page.getByLabel('namespace required').fill('default');
    return page;
  }

  const commandOf = (page: Page, name: string): Promise<string> =>
    page.getByLabel(`Command of ${name}`, { exact: true }).innerText();

  /** Whether all of it is in the window, and nothing lies on it. */
  async function isInView(part: Locator, height: number): Promise<boolean> {
    const box = await part.boundingBox();
    if (box === null || box.y < 0 || box.y + box.height > height) return false;
    return part.evaluate((element: any) => {
      const { left, top, width } = element.getBoundingClientRect();
      const above = element.ownerDocument.elementFromPoint(left + width / 2, top + 4);
      return element.contains(above) === true;
    });
  }

  /** What a shell prints that is given the text of a command as it is copied. */
  async function printedBy(command: string): Promise<string> {
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, TOKEN, KUBECONFIG: plinth.kubeconfig },
    };
    const { stdout } = await shell('sh', ['-c', command], { cwd: folder, env });
    return stdout;
  }

  const mapNamed = (name: string): string =>
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name },
      data: { value: VALUE },
    });

  const valueOf = async (name: string): Promise<unknown> =>
    (await plinth.get(`${MAPS}/${name}`)).json.data?.value;

  it('sends a request and shows the answer, and a refusal as it is', async () => {
    const page = await operation('post /api/v1/namespaces/{namespace}/configmaps');
    await page.getByLabel('Body', { exact: true }).fill(mapNamed('by-page'));
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.locator('.state.good', { hasText: '201' }).waitFor();
    assert.equal(await valueOf('by-page'), VALUE);
    const answer = page.getByLabel('Answer', { exact: true });
    assert.match(await answer.innerText(), /"name": "by-page"/);
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.locator('.state.bad', { hasText: '409' }).waitFor();
    assert.match(await answer.innerText(), /already exists/);
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(browser.errors, []);
  });

  it('writes commands of curl and kubectl that do the same', async () => {
    const page = await operation('post /api/v1/namespaces/{namespace}/configmaps');
    const body = page.getByLabel('Body', { exact: true });
    for (const program of ['curl', 'kubectl']) {
      await body.fill(mapNamed(`by-${program}`));
      const command = await commandOf(page, program);
      assert.match(command, new RegExp(`^${program} `));
      assert.match(await printedBy(command), new RegExp(`"name": ?"by-${program}"`));
      assert.equal(await valueOf(`by-${program}`), VALUE);
    }
    const list = await operation('get /api/v1/namespaces/{namespace}/configmaps');
    await list.getByText('Query parameters').click();
    await list.getByLabel('fieldSelector query').fill('metadata.name=by-curl');
    for (const program of ['curl', 'kubectl']) {
      const { items } = JSON.parse(await printedBy(await commandOf(list, program)));
      assert.deepEqual(
        items.map((item: { metadata: { name: string } }) => item.metadata.name),
        ['by-curl'],
      );
    }
  });

  for (const [width, height] of [
    [1280, 800],
    [360, 740],
    [3840, 2160],
  ] as const) {
    it(`has the operation, the button and the answer in view at ${width} pixels`, async () => {
      const page = await operation('get /api/v1/namespaces/{namespace}/configmaps', width, height);
      const [button, head] = [
        page.getByRole('button', { name: 'Send GET' }),
        page.getByRole('heading', { name: 'GET /api/v1/namespaces/{namespace}/configmaps' }),
      ];
      for (const part of [button, head]) assert.ok(await isInView(part, height));
      await page.getByText('Query parameters').click();
      await page.getByLabel('watch query').scrollIntoViewIfNeeded();
      for (const part of [button, head]) assert.ok(await isInView(part, height));
      await button.click();
      const answer = page.locator('.answer');
      await answer.getByText('200').waitFor();
      for (const part of [button, head, answer]) {
        await eventually(() => isInView(part, height), 'everything in view');
      }
    });
  }

  it('stops a request that does not end', async () => {
    const page = await operation('get /api/v1/namespaces/{namespace}/configmaps');
    await page.getByText('Query parameters').click();
    await page.getByLabel('watch query').fill('true');
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('alert').getByText('Stopped.').waitFor();
    await page.getByLabel('watch query').fill('');
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.locator('.answer').getByText('200').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('gives the whole width to a request where there is little, and leads back to the list', async () => {
    const page = await browser.open('#/explorer', { width: 360, height: 740 });
    const list = page.getByRole('navigation', { name: 'Operations' });
    await list.getByRole('link', { name: 'GET /api/v1/configmaps', exact: true }).press('Enter');
    const head = page.getByRole('heading', { name: 'GET /api/v1/configmaps' });
    await head.waitFor();
    await list.waitFor({ state: 'hidden' });
    assert.equal(await head.evaluate('document.activeElement.tagName'), 'H2');
    await page.getByRole('link', { name: 'All requests' }).click();
    await list.waitFor();
  });
});
