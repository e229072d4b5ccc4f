import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';
import { CRDS, crd } from '../support/custom.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { made } from './users.ts';

/** More than the overview follows, than it counts at once, and than the palette searches. */
const MANY = 190;
const FOLLOWED = 80;
const AT_ONCE = 8;
const GROUP = 'many.example.com';

const nameOf = (i: number): string => `Kind${String(i).padStart(4, '0')}`;
const pluralOf = (i: number): string => `${nameOf(i).toLowerCase()}s`;

describe('very many kinds in the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;

  before(async () => {
    plinth = await Plinth.start();
    const numbers = Array.from({ length: MANY }, (_, i) => i);
    for (let i = 0; i < MANY; i += AT_ONCE) {
      await Promise.all(numbers.slice(i, i + AT_ONCE).map(define));
    }
    await eventually(
      async () => (await plinth.get(`${pathOf(MANY - 1)}?limit=1`)).status === 200,
      'the last kind is served',
    );
    await make(0, 'first');
    await make(MANY - 1, 'last');
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  const define = (i: number) =>
    made(plinth, CRDS, crd({ plural: pluralOf(i), kind: nameOf(i), group: GROUP }));
  const pathOf = (i: number): string => `/apis/${GROUP}/v1/namespaces/default/${pluralOf(i)}`;
  const make = (i: number, name: string) =>
    made(plinth, pathOf(i), {
      ...{ apiVersion: `${GROUP}/v1`, kind: nameOf(i), metadata: { name } },
    });

  it('are followed by the overview, custom ones first; the others are counted when they are seen', async () => {
    const page = await browser.open('#/overview');
    const counted = new Set<string>();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.searchParams.has('count')) counted.add(url.pathname);
    });
    const tile = page.locator('.tiles li').filter({ hasText: nameOf(0) });
    await tile.getByText('1', { exact: true }).waitFor();
    await page.locator('.log[aria-busy="false"]').waitFor();
    await make(0, 'second');
    await page.locator('.log li').filter({ hasText: 'second' }).waitFor();
    await tile.getByText('2', { exact: true }).waitFor();
    await page.getByText(`Follows ${FOLLOWED} kinds, those of definitions first;`).waitFor();
    // some kinds cannot be watched at all
    assert.equal(await page.getByText('Not followed, since').count(), 0);
    assert.ok(counted.size <= FOLLOWED, `${counted.size} kinds are counted at once`);

    const more = page.getByText(/^\d+ more kinds, not followed live$/);
    assert.ok(Number.parseInt(await more.innerText()) >= MANY - FOLLOWED);
    await more.click();
    const last = page.locator('.tiles li').filter({ hasText: nameOf(MANY - 1) });
    await last.getByText('–', { exact: true }).waitFor();
    const before = counted.size;
    await last.scrollIntoViewIfNeeded();
    await last.getByText('1', { exact: true }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    assert.ok(counted.size < before + MANY - FOLLOWED, `${counted.size} kinds are counted`);
    await page.getByRole('button', { name: 'Count all' }).click();
    await page
      .locator('.tiles li')
      .getByText('–', { exact: true })
      .first()
      .waitFor({ state: 'detached' });
    assert.deepEqual(browser.errors, []);
  });

  it('are searched for objects by the palette, which says how many of them', async () => {
    const page = await browser.open('#/keys');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('first');
    await page
      .getByRole('option')
      .filter({ hasText: nameOf(0) })
      .waitFor();
    await page.getByText(/^180 of \d+ kinds were searched\.$/).waitFor();
  });
});
