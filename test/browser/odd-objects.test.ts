import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnish, make } from './world.ts';

const DATABASES = '/apis/demo.example.com/v1/namespaces/default/databases';
const OBJECTS = '#/kind/demo.example.com/v1/databases/default';
const DEFINITIONS = '#/kind/apiextensions.cluster.io/v1/customresourcedefinitions';

const NEW_PORT = '#/new/demo.example.com/v1/ports?namespace=default';
const ANY = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const DEEP = { type: 'object', properties: { deepest: { type: 'boolean' } } };
const PORT = {
  type: 'object',
  required: ['port'],
  properties: {
    anything: ANY,
    lists: { type: 'array', items: { type: 'string' } },
    mode: { type: 'string', enum: ['fast', '', 'with space'] },
    nested: {
      type: 'object',
      additionalProperties: {
        ...{ type: 'object', additionalProperties: { type: 'array', items: DEEP } },
      },
    },
    port: { 'x-cluster-int-or-string': true },
    template: { ...ANY, 'x-cluster-embedded-resource': true },
  },
};

describe('what the console shows of objects that are not as most are', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnish(plinth, 1);
    await install(plinth, {
      ...{ plural: 'ports', kind: 'Port', group: 'demo.example.com' },
      schema: { type: 'object', required: ['spec'], properties: { spec: PORT } },
    });
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  it('says on every tab that an object is being deleted, and leads to what holds it', async () => {
    await make(plinth, 'held', {}, { finalizers: ['demo.example.com/backup'] });
    const page = await browser.open(`${OBJECTS}/held`);
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    const banner = page.getByText('It is being deleted');
    assert.equal(await banner.count(), 0);
    await plinth.send('DELETE', `${DATABASES}/held`);
    await banner.waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('link', { name: 'YAML', exact: true }).click();
    await banner.waitFor();
    await page.getByRole('link', { name: 'Show what holds it' }).click();
    await page.getByRole('button', { name: 'Remove demo.example.com/backup' }).waitFor();
  });

  it('creates what takes a number or a string, by text and by a form', async () => {
    const page = await browser.open(NEW_PORT);
    await page.locator('.cm-line', { hasText: 'port: 0' }).waitFor();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByLabel('port required').fill('8080');
    const others = page.getByText('Written as YAML, and not in this form: ');
    assert.match(await others.innerText(), /: anything, lists, nested, template\.$/);
    assert.equal(await page.getByLabel(/template/).count(), 0);
    await page.getByRole('button', { name: 'YAML', exact: true }).click();
    await page.locator('.cm-line', { hasText: /port: 8080$/ }).waitFor();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByLabel('port required').fill('http');
    await page.getByRole('button', { name: 'YAML', exact: true }).click();
    await page.locator('.cm-line', { hasText: /port: http$/ }).waitFor();
  });

  it('documents empty values, objects that take any field, and maps of maps of lists', async () => {
    const page = await browser.open('#/definitions?kind=ports.v1.demo.example.com');
    await page.getByText('one of fast, "", "with space"').waitFor();
    await page.getByText('object with any fields').first().waitFor();
    await page.locator('summary', { hasText: 'map of map of list of object' }).waitFor();
    await page.getByText('deepest', { exact: true }).waitFor();
  });

  it('shows moments in a table in local time, and the head of a long kind in one line', async () => {
    const page = await browser.open(DEFINITIONS);
    const row = page.getByRole('row').filter({ hasText: 'databases.demo.example.com' });
    const time = row.locator('time');
    await time.waitFor();
    const moment = await time.getAttribute('datetime');
    const local = `new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })`;
    assert.equal(
      await time.innerText(),
      await page.evaluate<string>(`${local}.format(new Date('${moment}'))`),
    );
    const isWhole = await time.evaluate(
      ({ parentElement: cell }: any) => cell.scrollWidth <= cell.clientWidth,
    );
    assert.ok(isWhole, 'the time is cut off');
    const title = await page
      .getByRole('heading', { name: 'CustomResourceDefinition' })
      .boundingBox();
    const create = await page.getByRole('link', { name: 'Create' }).boundingBox();
    assert.ok(Math.abs(title!.y - create!.y) < title!.height, 'Create has wrapped');
  });

  it('marks an API service whose server is not there', async () => {
    const { status } = await plinth.send(
      'POST',
      '/apis/apiregistration.cluster.io/v1/apiservices',
      {
        metadata: { name: 'v1.gone.example.com' },
        spec: {
          ...{ group: 'gone.example.com', version: 'v1', insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 10 },
          service: { namespace: 'default', name: 'gone' },
        },
      },
    );
    assert.equal(status, 201);
    const page = await browser.open('#/kind/apiregistration.cluster.io/v1/apiservices');
    const row = page.getByRole('row').filter({ hasText: 'v1.gone.example.com' });
    await row.locator('.state.bad', { hasText: 'ServiceNotFound' }).waitFor();
  });
});
