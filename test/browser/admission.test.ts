import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { DATABASES } from './world.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const MARKUP = '<img src=x onerror=alert(1)>';

describe('what admission matched, in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnishEstate(plinth, 5);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const create = (name: string, replicas: number) =>
    plinth.send('POST', DATABASES, {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name } },
      spec: { engine: 'mysql', replicas, owner: MARKUP },
    });
  const card = (page: Page, title: string): Locator =>
    page.locator('section.card').filter({ hasText: title });
  /** Texts of the row: what, allowed, noted, refused, failed. */
  const rowOf = async (found: Locator): Promise<string[]> =>
    (await found.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).slice(0, 4);

  it('counts by resource and verb, live, with the last refusals and why', async () => {
    assert.equal((await create('small', 2)).status, 201);
    const page = await browser.open('#/admission');
    const policy = card(page, 'at most 7 copies');
    await policy.getByRole('rowheader', { name: 'create databases' }).waitFor();
    const [, , refusedBefore = ''] = await rowOf(policy);
    // an open page tells of what comes later
    assert.equal((await create('x-large', 9)).status, 422);
    await eventually(
      async () => Number((await rowOf(policy))[2]) === Number(refusedBefore) + 1,
      'one more refusal',
    );
    await policy.getByText('Last refusals').click();
    const first = policy.getByRole('listitem').filter({ hasText: 'default/x-large' });
    await first.getByText('at most 7 copies').waitFor();
    await first.getByText('admin: create databases').waitFor();
    // the webhook cannot be reached, and that is passed over
    assert.equal((await create('x-small', 1)).status, 201);
    const webhook = card(page, 'names.example.com');
    await eventually(async () => (await rowOf(webhook).catch(() => []))[3] === '1', 'one failure');
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(browser.errors, []);
  });

  it('shows messages as text, whatever they hold', async () => {
    const made = await plinth.send(
      'POST',
      '/apis/admissionregistration.cluster.io/v1/validatingadmissionpolicies',
      {
        metadata: { name: 'marked' },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['demo.example.com'],
                apiVersions: ['*'],
                resources: ['databases'],
                operations: ['CREATE'],
              },
            ],
          },
          validations: [
            {
              expression: 'object.spec.replicas != 3',
              messageExpression: 'string(object.spec.owner)',
            },
          ],
        },
      },
    );
    assert.equal(made.status, 201, made.text);
    await plinth.send(
      'POST',
      '/apis/admissionregistration.cluster.io/v1/validatingadmissionpolicybindings',
      { metadata: { name: 'marked' }, spec: { policyName: 'marked', validationActions: ['Deny'] } },
    );
    await eventually(async () => (await create('three', 3)).status === 422, 'the policy holds');
    const page = await browser.open('#/admission');
    const policy = card(page, 'object.spec.replicas != 3');
    await policy.getByText('Last refusals').click();
    await policy.getByText(MARKUP).first().waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(browser.errors, []);
  });

  it('tells those who may not read it why', async () => {
    const kubeconfig = join(plinth.dataDir, 'ann.kubeconfig');
    execFileSync(process.execPath, [
      ...['dist/server/main.js', 'user', 'add', 'ann', '--out', kubeconfig],
      ...['--kubeconfig', plinth.kubeconfig],
    ]);
    const rules = [
      { apiGroups: ['admissionregistration.cluster.io'], resources: ['*'], verbs: ['list'] },
    ];
    await plinth.send('POST', `${RBAC}/clusterroles`, { metadata: { name: 'lists' }, rules });
    await plinth.send('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'lists' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'lists' },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: 'ann' }],
    });
    const page = await browser.open('#/admission', { kubeconfig });
    await page.getByText('at most 7 copies').first().waitFor();
    await page.getByText('What they matched cannot be shown').waitFor();
    assert.equal(await page.getByText('Last refusals').count(), 0);
  });
});
