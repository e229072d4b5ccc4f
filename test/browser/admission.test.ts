import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually, Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { addUser, grantEverywhere, made } from './users.ts';
import { DATABASES } from './world.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const FAILURES =
  '/apis/events.cluster.io/v1/namespaces/default/events?fieldSelector=reason%3DWebhookFailed';
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

  it('says what fails and why, on its card and in the health of the overview', async () => {
    const overview = await browser.open('#/overview');
    const health = overview.locator('section.card').filter({ hasText: 'Health' });
    const webhooks = health.getByRole('listitem').filter({ hasText: 'Webhooks' });
    assert.equal((await create('x-fails', 1)).status, 201);
    await made(plinth, '/apis/apiregistration.cluster.io/v1/apiservices', {
      metadata: { name: 'v1.nowhere.example.com' },
      spec: {
        ...{ group: 'nowhere.example.com', version: 'v1', insecureSkipTLSVerify: true },
        ...{ groupPriorityMinimum: 1000, versionPriority: 10 },
        service: { namespace: 'default', name: 'nowhere' },
      },
    });
    const path = '/apis/apiregistration.cluster.io/v1/apiservices/v1.nowhere.example.com';
    await eventually(
      async () => (await plinth.get(path)).json.status?.conditions?.[0]?.status === 'False',
      'the APIService is judged',
    );
    await eventually(
      async () => (await plinth.get(FAILURES)).json.items.length > 0,
      'the Event about the webhook',
    );
    await overview.reload();
    await webhooks.getByText('1 not well').waitFor();
    await webhooks.getByText(/connection refused by 127\.0\.0\.1/).waitFor();
    await webhooks.getByRole('link', { name: 'names.example.com' }).click();
    const webhook = card(overview, 'names.example.com');
    await webhook.getByText('fails', { exact: true }).waitFor();
    await webhook.getByText(/connection refused .*ignored, as failurePolicy says/).waitFor();
    assert.deepEqual(await violationsOf(overview), []);
    await overview.goto(`${plinth.url}/console/#/overview`);
    const services = health.getByRole('listitem').filter({ hasText: 'API services' });
    await services.getByText('1 not well').waitFor();
    await services.getByRole('link', { name: 'v1.nowhere.example.com' }).waitFor();
    assert.deepEqual(await violationsOf(overview), []);
    await plinth.send('DELETE', path);
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
    const kubeconfig = addUser(plinth, 'ann');
    const rules = [
      { apiGroups: ['admissionregistration.cluster.io'], resources: ['*'], verbs: ['list'] },
    ];
    await made(plinth, `${RBAC}/clusterroles`, { metadata: { name: 'lists' }, rules });
    await grantEverywhere(plinth, 'ann', 'lists');
    const page = await browser.open('#/admission', { kubeconfig });
    await page.getByText('at most 7 copies').first().waitFor();
    await page.getByText('What they matched cannot be shown').waitFor();
    assert.equal(await page.getByText('Last refusals').count(), 0);
  });
});
