import type { Page } from 'playwright-core';
import type { Plinth } from '../support/plinth.ts';
import { areDrawn, drawnReadings, nextReading, runAhead } from './graph-readings.ts';
import { make, setPhase, TABLE } from './world.ts';

const LIST = encodeURIComponent('get /api/v1/namespaces/{namespace}/configmaps');
const OBJECT = '#/kind/demo.example.com/v1/databases/default/db-000';

type Ready = (page: Page, plinth: Plinth) => Promise<void>;
const text =
  (wanted: string): Ready =>
  (page) =>
    page.getByRole('main').getByText(wanted).first().waitFor();
const heading =
  (name: string, then: Ready = () => Promise.resolve()): Ready =>
  async (page, plinth) => {
    await page.getByRole('heading', { name }).first().waitFor();
    await then(page, plinth);
  };

let made = 0;
/** Changes that the overview shows as they happen. */
const changes: Ready = async (page, plinth) => {
  await text('ServiceAccount')(page, plinth);
  await page.locator('.log[aria-busy="false"]').waitFor();
  const name = `new-${++made}`;
  await make(plinth, name, { engine: 'postgres', replicas: 1 });
  await setPhase(plinth, name, 'Ready');
  await plinth.send('DELETE', `/apis/demo.example.com/v1/namespaces/default/databases/${name}`);
  const log = page.locator('.log li').filter({ hasText: name });
  for (const word of ['created', 'changed', 'deleted']) {
    await log.filter({ hasText: word }).first().waitFor();
  }
};

/** Nothing is being read any more. */
export async function settled(page: Page): Promise<void> {
  for (const wait of ['Reading…', 'Loading…', 'Looking for']) {
    await page.getByText(wait).first().waitFor({ state: 'detached' });
  }
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
}

const READINGS = 30;

/** The graphs have had some minutes of readings, by a clock that runs ahead, while requests came in waves. */
const rates: Ready = async (page, plinth) => {
  await runAhead(page);
  for (let i = 0; i < READINGS; i++) {
    const requests = Math.round(20 + 15 * Math.sin(i / 4));
    await Promise.all(Array.from({ length: requests }, () => plinth.get('/api/v1/namespaces')));
    const before = await drawnReadings(page);
    await nextReading(page);
    await areDrawn(page, before + 1);
  }
};

/** Each view: name, address, and what shows that it is complete. */
export const VIEWS: readonly (readonly [string, string, Ready])[] = [
  ['overview', '#/overview', heading('Overview', changes)],
  ['table', TABLE, text('db-000')],
  ['table-empty', '#/kind/core/v1/configmaps?namespace=nowhere', heading('ConfigMap')],
  ['object', OBJECT, heading('Database db-000', text('Owners and dependents'))],
  ['object-yaml', `${OBJECT}?tab=yaml`, text('engine:')],
  ['object-edit', `${OBJECT}?tab=edit`, text('engine:')],
  ['object-fields', `${OBJECT}?tab=managers`, heading('Database db-000')],
  ['object-held', `${OBJECT.replace('db-000', 'held')}?tab=holds`, text('demo.example.com/backup')],
  ['create', '#/new/demo.example.com/v1/databases?namespace=default', text('engine:')],
  ['definitions', '#/definitions', heading('Definitions', text('Database'))],
  [
    'definition',
    '#/definitions?kind=databases.v1.demo.example.com',
    text('The program that keeps the data.'),
  ],
  ['access', '#/access', heading('Access', text('Database'))],
  ['admission', '#/admission', heading('Admission', text('few-copies'))],
  [
    'access-who',
    '#/access?tab=who&kind=databases.v1.demo.example.com&user=ann&namespace=default',
    text('operators'),
  ],
  ['explorer', '#/explorer', heading('API explorer')],
  ['explorer-request', `#/explorer?document=api%2Fv1&operation=${LIST}`, text('kubectl get')],
  ['graphs', '#/graphs', heading('Graphs', rates)],
  ['keys', '#/keys', heading('Keyboard')],
  ['missing', '#/nothing/here', text('There is no such page')],
];
