import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CodeIssuer } from '../console/code-issuer.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { codeOf, TestBrowser } from './chromium.ts';

const ANN = 'token-of-ann-0123456789';
const CLEO = 'token-of-cleo-0123456789';
const LASTING = 'lasting-token-of-cleo-0123456789';
const NOT_SHOWN = { kubeconfig: null };

describe('signing in to the console in a browser', () => {
  let tokens: string;
  let issuer: CodeIssuer;
  let plinth: Plinth;
  let browser: TestBrowser;
  /** Tokens of cleo, each for one session. */
  const spare = [1, 2, 3, 4].map((i) => `token-${i}-of-cleo-0123456789`);
  const tokenFile = (...others: readonly string[]): string =>
    [
      `${ANN},bea,bea`,
      ...[...others, ...spare, LASTING].map((token) => `${token},cleo,cleo,"system:masters"`),
    ].join('\n');
  before(async () => {
    issuer = await CodeIssuer.start();
    const folder = mkdtempSync(join(tmpdir(), 'plinth-sign-in-'));
    writeFileSync(join(folder, 'ca.pem'), issuer.issuer.authority);
    tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, tokenFile(CLEO));
    plinth = await Plinth.start({
      args: [
        ...['--token-auth-file', tokens, '--console-oidc-client-id', 'plinth'],
        ...['--stream-recheck-period', '1'],
        ...['--oidc-issuer-url', issuer.issuer.url, '--oidc-client-id', 'plinth'],
        ...['--oidc-ca-file', join(folder, 'ca.pem'), '--oidc-signing-algs', 'ES256'],
        ...['--oidc-username-prefix', '-'],
      ],
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => Promise.all([plinth.dispose(), issuer.close()]));

  async function isUser(page: Page, name: string): Promise<void> {
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByLabel(`Signed in as ${name}`).waitFor();
    assert.deepEqual(browser.errors, []);
  }

  it('goes by the link, whose code works once and leaves the address', async () => {
    const code = await codeOf(plinth);
    const page = await browser.open(`#code=${code}`, NOT_SHOWN);
    await isUser(page, 'admin');
    assert.equal(await page.evaluate('location.hash'), '#/overview');
    const other = await browser.open(`#code=${code}`, NOT_SHOWN);
    await other.getByText('The link was used already').waitFor();
  });

  it('goes by a token, and ends when it is signed out', async () => {
    const page = await browser.open('#/overview', NOT_SHOWN);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The server does not know this token.').waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByLabel('Token').fill(ANN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await isUser(page, 'bea');
    await page.reload();
    await isUser(page, 'bea');
    const kept = await page.evaluate<string>('document.cookie + JSON.stringify(localStorage)');
    assert.doesNotMatch(kept, /session|token-of-ann/);
    await page.getByLabel('Signed in as bea').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Plinth' }).waitFor();
  });

  it('goes by the issuer', async () => {
    const page = await browser.open('', NOT_SHOWN);
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await isUser(page, 'ann');
  });

  it('goes by a client certificate without a page', async () => {
    await isUser(await browser.open(''), 'admin');
  });

  it('begins again when the session has ended, and is live again', async () => {
    // this page asks for nothing by itself: it is the stream that tells
    const page = await browser.open('#/keys', NOT_SHOWN);
    const signIn = async (token: string): Promise<void> => {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Signed in as cleo').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    };
    await signIn(CLEO);
    const next = CLEO.replace('token', 'other');
    writeFileSync(tokens, tokenFile(next));
    await page.getByRole('heading', { name: 'Sign in to Plinth' }).waitFor();
    await signIn(next);
    await page.goto(`${plinth.url}/console/#/kind/core/v1/configmaps?namespace=default`);
    await page.getByRole('heading', { name: 'ConfigMap' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'made-later' },
    });
    await page.getByRole('link', { name: 'made-later' }).waitFor();
  });

  describe('on a page that another user has left', () => {
    const MAPS = '#/kind/core/v1/configmaps?namespace=default';
    const DRAFT = '#/new/core/v1/configmaps?namespace=default';

    async function enters(page: Page, token: string, name: string): Promise<void> {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel(`Signed in as ${name}`).waitFor();
    }

    /** A page of cleo, who has typed something and looks at a place, and whose session then ends. */
    async function left(place = MAPS): Promise<Page> {
      const page = await browser.open(DRAFT, NOT_SHOWN);
      await enters(page, spare.shift()!, 'cleo');
      await page.getByRole('textbox', { name: 'YAML of the new ConfigMap' }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('# typed by cleo');
      await page.evaluate(`void (location.hash = '${place}')`);
      const content = page.locator('main');
      await content.getByText(place === MAPS ? 'of-cleo' : 'Changes appear here').waitFor();
      writeFileSync(tokens, tokenFile());
      await page.getByRole('heading', { name: 'Sign in to Plinth' }).waitFor();
      return page;
    }

    before(() =>
      plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'of-cleo' },
      }),
    );

    it('shows the next user nothing of the one before', async () => {
      const page = await left();
      await page.evaluate(`
        globalThis.wasShown = false;
        new MutationObserver(() => {
          globalThis.wasShown ||= document.body.textContent.includes('of-cleo');
        }).observe(document.body, { childList: true, subtree: true })`);
      await enters(page, ANN, 'bea');
      await page.getByText('User "bea" cannot list resource "configmaps"').waitFor();
      assert.equal(await page.evaluate('globalThis.wasShown'), false);
      assert.doesNotMatch(await page.evaluate('JSON.stringify(sessionStorage)'), /cleo/);
    });

    it('gives the same user back what was typed, and a table that is live', async () => {
      const page = await left();
      await enters(page, LASTING, 'cleo');
      await page.getByRole('link', { name: 'of-cleo' }).waitFor();
      await plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'made-meanwhile' },
      });
      await page.getByRole('link', { name: 'made-meanwhile' }).waitFor();
      await page.evaluate(`void (location.hash = '${DRAFT}')`);
      await page.getByText('# typed by cleo').waitFor();
    });

    it('follows the changes of the overview again', async () => {
      const page = await left('#/overview');
      await enters(page, LASTING, 'cleo');
      await page.getByText('Changes appear here').waitFor();
      await plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
        metadata: { name: 'made-then' },
      });
      await page.getByRole('link', { name: 'default/made-then' }).waitFor();
    });

    it('forgets at sign-out what was typed', async () => {
      const page = await left();
      await enters(page, LASTING, 'cleo');
      await page.getByLabel('Signed in as cleo').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Plinth' }).waitFor();
      assert.doesNotMatch(await page.evaluate('JSON.stringify(sessionStorage)'), /typed by cleo/);
    });
  });

  it('leads back to the place of a deep link', async () => {
    const page = await browser.open('#/kind/core/v1/configmaps?namespace=default', NOT_SHOWN);
    await page.getByLabel('Token').fill(ANN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You may not see this').waitFor();
    await page.getByText('User "bea" cannot list resource "configmaps"').waitFor();
  });
});
