import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { install } from '../support/custom.ts';
import { TestBrowser } from './chromium.ts';

/** Without a slash, so that names of roles can be it. */
const MARKUP = '<img src=x onerror=window.hacked=1>';
const TAG = `</script><svg onload=window.hacked=1>${MARKUP}`;
const KIND = 'traps.v1.demo.example.com';
const TRAPS = '/apis/demo.example.com/v1/namespaces/default/traps';
const OBJECT = '#/kind/demo.example.com/v1/traps/default/trap';
const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const ADMISSION = '/apis/admissionregistration.cluster.io/v1';

/** Places that show what users have written; true: the markup itself can be read there. */
const PLACES: readonly (readonly [string, boolean])[] = [
  ['#/kind/demo.example.com/v1/traps', true],
  [OBJECT, true],
  [`${OBJECT}?tab=yaml`, true],
  [`${OBJECT}?tab=edit`, true],
  [`${OBJECT}?tab=managers`, true],
  [`${OBJECT}?tab=holds`, false],
  ['#/new/demo.example.com/v1/traps?namespace=default', true],
  [`#/definitions?kind=${KIND}`, true],
  [`#/access?tab=who&kind=${KIND}&namespace=default`, true],
  ['#/admission', true],
  ['#/kind/core/v1/events', true],
  ['#/kind/rbac.authorization.cluster.io/v1/roles', true],
  [`#/kind/rbac.authorization.cluster.io/v1/roles/default/${encodeURIComponent(MARKUP)}`, true],
  [`#/kind/core/v1/configmaps?namespace=${encodeURIComponent(MARKUP)}`, false],
  [`#/kind/core/v1/${encodeURIComponent(MARKUP)}`, true],
  [`#/${encodeURIComponent(MARKUP)}`, false],
  [`#/explorer?operation=${encodeURIComponent(MARKUP)}`, false],
];

describe('markup that users write', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await lay();
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  async function sent(path: string, object: object): Promise<void> {
    const { status, text } = await plinth.send('POST', path, object);
    assert.equal(status, 201, `${path}: ${text}`);
  }

  /** Puts markup into every field that takes it. */
  async function lay(): Promise<void> {
    const text = { type: 'string', title: TAG, description: TAG };
    await install(plinth, {
      ...{ plural: 'traps', kind: 'Trap', group: 'demo.example.com' },
      schema: {
        ...{ type: 'object', title: TAG, description: TAG, required: ['spec'] },
        properties: {
          spec: {
            ...{ type: 'object', required: ['text'], description: TAG },
            properties: {
              text: { ...text, default: TAG, example: TAG },
              choice: { ...text, enum: [TAG, 'other'] },
              free: { type: 'object', additionalProperties: text },
            },
            'x-kubernetes-validations': [{ rule: `self.text != '!'`, message: TAG }],
          },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      version: {
        additionalPrinterColumns: [
          { name: TAG, description: TAG, type: 'string', jsonPath: '.spec.text' },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        ],
      },
    });
    const condition = {
      type: TAG,
      status: TAG,
      reason: TAG,
      message: TAG,
      lastTransitionTime: TAG,
    };
    await sent(`${TRAPS}?fieldManager=${encodeURIComponent(MARKUP)}`, {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Trap' },
      metadata: { name: 'trap', annotations: { 'demo.example.com/note': TAG } },
      spec: { text: TAG, choice: TAG, free: { [TAG]: TAG } },
      status: { phase: TAG, conditions: [condition], [TAG]: TAG },
    });
    const { json } = await plinth.get(`${TRAPS}/trap`);
    await sent('/api/v1/namespaces/default/events', {
      metadata: { name: 'trap.1' },
      involvedObject: {
        ...{ apiVersion: 'demo.example.com/v1', kind: 'Trap', name: 'trap' },
        ...{ namespace: 'default', uid: json.metadata.uid },
      },
      ...{ reason: TAG, message: TAG, type: 'Warning', source: { component: TAG } },
    });
    const role = { name: MARKUP, namespace: 'default', annotations: { note: TAG } };
    await sent(`${RBAC}/namespaces/default/roles`, {
      metadata: role,
      rules: [{ apiGroups: [TAG, '*'], resources: ['traps', TAG], verbs: ['get', TAG] }],
    });
    await sent(`${RBAC}/namespaces/default/rolebindings`, {
      metadata: role,
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: MARKUP },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: TAG }],
    });
    await sent(`${ADMISSION}/validatingadmissionpolicies`, {
      metadata: { name: 'trap', annotations: { note: TAG } },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['x'], apiVersions: ['*'], resources: ['traps'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: `object.spec.text != '${MARKUP}'`, message: TAG }],
      },
    });
  }

  async function isText(page: Page): Promise<void> {
    const made = await page.locator('img, main svg[onload], script:not([src])').count();
    assert.equal(made, 0, 'markup has become elements');
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(browser.errors.splice(0), []);
  }

  for (const [hash, isShown] of PLACES) {
    it(`stays text at ${hash}`, async () => {
      const page = await browser.open(hash);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Reading…').first().waitFor({ state: 'detached' });
      const shown = page
        .getByRole('main')
        .getByText(hash.includes('core/v1/%3C') ? MARKUP : 'onerror');
      if (isShown) await shown.first().waitFor();
      await isText(page);
    });
  }

  it('stays text in live rows, in the log, in dialogs and in the palette', async () => {
    const log = await browser.open('#/overview');
    await log.locator('.log[aria-busy="false"]').waitFor();
    const page = await browser.open('#/kind/rbac.authorization.cluster.io/v1/roles');
    const link = page.getByRole('link', { name: MARKUP });
    await link.waitFor();
    const path = `${RBAC}/namespaces/default/roles/${encodeURIComponent(MARKUP)}`;
    const patch = { metadata: { labels: { changed: 'yes' } } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    const { status, text } = await plinth.send('PATCH', path, patch, merge);
    assert.equal(status, 200, text);
    await log.getByText('onerror').first().waitFor();
    await isText(log);
    await page.getByLabel(`Select ${MARKUP}`).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByText('onerror').first().waitFor();
    await isText(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(MARKUP);
    await isText(page);
  });
});
