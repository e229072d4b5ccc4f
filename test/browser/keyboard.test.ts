import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Plinth } from '../support/plinth.ts';
import { pressQuickly, TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { settled, VIEWS } from './views.ts';

/** Stops of the Tab key in one view, at most. */
const MOST_STOPS = 400;

/** Marks what can be used, and answers how much that is: everything that is seen and takes part in the order of Tab. */
const MARK = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const usable = all.filter((each) =>
    each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }) &&
    // of buttons that belong together, one is reached by Tab and the others by arrows
    each.type !== 'radio');
  globalThis.unreached_ = new Set(usable);
  return usable.length;
})()`;

/** Where the focus is: whether that is at the page's end, and what is wrong with it. */
const LOOK = `(async () => {
  // what moves into sight when it has the focus does so in the next frame
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  let here = document.activeElement;
  if (here === null || here === document.body) return ['end', ''];
  unreached_.delete(here);
  const host = here;
  while (here.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
  const box = here.getBoundingClientRect();
  const name = here.outerHTML.slice(0, 160);
  if (box.width === 0 || box.height === 0) return ['', 'nothing to see: ' + name];
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  if (!inside) return ['', 'out of sight: ' + name];
  // the editor draws its mark above its own lines
  if (here.closest('.cm-focused')) return ['editor', ''];
  const marks = [here, host, host.parentElement, ...host.querySelectorAll('.active')].some((each) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(each);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
  return ['', marks ? '' : 'no mark of the focus: ' + name];
})()`;

const LEFT = `[...unreached_].filter((each) => each.isConnected && each.checkVisibility({ visibilityProperty: true }))
  .map((each) => each.outerHTML.slice(0, 160))`;

describe('the console with the keyboard alone', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    plinth = await Plinth.start();
    await furnishEstate(plinth, 12);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  for (const [name, hash, ready] of VIEWS) {
    it(`${name}: Tab reaches everything, shows where it is, and leaves again`, async () => {
      const page = await browser.open(hash);
      await ready(page, plinth);
      await settled(page);
      const count = await page.evaluate<number>(MARK);
      assert.ok(count > 8, `${count} things`);
      const problems = await tabThrough(page);
      assert.deepEqual(problems, []);
      assert.deepEqual(await page.evaluate(LEFT), []);
    });
  }

  /** Goes through the page until its end; what was wrong on the way. */
  async function tabThrough(page: Page): Promise<string[]> {
    const problems = new Set<string>();
    // a view may put the focus into its middle: from there to the end, and once from the beginning
    let ends = (await page.evaluate<boolean>('document.activeElement === document.body')) ? 1 : 2;
    let where = '';
    for (let i = 0; i < MOST_STOPS; i++) {
      // in the editor Tab indents, unless Escape comes before it
      if (where === 'editor') await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      const [at, problem] = await page.evaluate<[string, string]>(LOOK);
      if (problem !== '') problems.add(problem);
      where = at;
      if (where === 'end' && --ends === 0) return [...problems];
    }
    return [...problems, `the focus does not come out in ${MOST_STOPS} steps`];
  }

  it('goes to each page by g and a letter, and to a kind by its first letters', async () => {
    const page = await browser.open('#/keys');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    for (const [key, heading] of [
      ['d', 'Definitions'],
      ['a', 'Access'],
      ['m', 'Admission'],
      ['x', 'API explorer'],
      ['h', 'Graphs'],
      ['o', 'Overview'],
    ] as const) {
      await pressQuickly(page, ['g', key]);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await pressQuickly(page, ['g', 'c']);
    await page.keyboard.type('onfigm');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ConfigMap' }).waitFor();
  });

  it('opens and leaves a dialog, and the focus comes back', async () => {
    const page = await browser.open('#/kind/demo.example.com/v1/databases/default/db-001');
    const button = page.getByRole('button', { name: 'Delete' });
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      const isInside = await page.evaluate<boolean>(
        "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
      );
      assert.ok(isInside, 'the focus leaves the dialog');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /Delete/);
  });
});
