import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reviewer } from '../access/reviewer.ts';
import { Plinth } from '../support/plinth.ts';
import { TestBrowser } from './chromium.ts';
import { addUser } from './users.ts';

interface Asked {
  readonly user?: string;
  readonly resourceAttributes?: {
    readonly resource?: string;
    readonly verb?: string;
    readonly namespace?: string;
  };
}

describe('a user whose rights a webhook decides, in the console', () => {
  let directory: string;
  let reviewer: Reviewer;
  let plinth: Plinth;
  let browser: TestBrowser;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-hooks-'));
    reviewer = await Reviewer.start();
    reviewer.answer = ({ user, resourceAttributes: asked = {} }: Asked) => {
      const isRead = ['get', 'list', 'watch'].includes(asked.verb ?? '');
      return {
        allowed: user === 'wes' && asked.resource === 'configmaps' && isRead,
      };
    };
    plinth = await Plinth.start({
      args: [
        ...['--authorization-mode', 'RBAC,Webhook'],
        ...['--authorization-webhook-config-file', reviewer.kubeconfig(directory)],
      ],
    });
    await plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'colours' },
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(async () => {
    await plinth.dispose();
    await reviewer.server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is offered what single questions allow, since the rules do not tell', async () => {
    const page = await browser.open('#/overview', { kubeconfig: addUser(plinth, 'wes') });
    await page.locator('.tiles li').filter({ hasText: 'ConfigMap' }).getByText('1').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    assert.deepEqual(await sidebar.locator('section a').allInnerTexts(), ['ConfigMap']);
    await page.locator('.tiles li').click();
    await page.getByRole('link', { name: 'colours' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Create' }).count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('is told so where nothing is allowed', async () => {
    const page = await browser.open('#/overview', { kubeconfig: addUser(plinth, 'nell') });
    await page.getByRole('heading', { name: 'You see nothing yet' }).waitFor();
    await page.getByText('Idle', { exact: true }).waitFor();
  });
});
