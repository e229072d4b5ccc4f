import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Plinth } from '../support/plinth.ts';
import { violationsOf } from './axe.ts';
import { TestBrowser } from './chromium.ts';
import { furnishEstate } from './estate.ts';
import { settled, VIEWS } from './views.ts';

/** Pictures of each view, made by every run. */
const PICTURES = 'dist/pictures';
describe('the views of the console', () => {
  let plinth: Plinth;
  let browser: TestBrowser;
  before(async () => {
    mkdirSync(PICTURES, { recursive: true });
    plinth = await Plinth.start();
    await furnishEstate(plinth);
    browser = await TestBrowser.start(plinth);
  });
  afterEach(() => browser.closePages());
  after(() => plinth.dispose());

  for (const theme of ['light', 'dark'] as const) {
    for (const [name, hash, ready] of VIEWS) {
      it(`${name}, ${theme}: nothing that axe finds wrong`, async () => {
        const page = await browser.open(hash, { theme });
        await ready(page, plinth);
        await settled(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`) });
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(browser.errors.splice(0), []);
      });
    }
  }

  for (const [width, height] of [
    [360, 740],
    [3840, 2160],
  ] as const) {
    for (const [name, hash, ready] of VIEWS) {
      it(`${name} fits into ${width} pixels`, async () => {
        const page = await browser.open(hash, { width, height });
        await ready(page, plinth);
        await settled(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${width}.png`) });
        const [wide, seen] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        assert.ok(wide <= seen, `${wide} of ${seen} pixels`);
        if (width < 1000) assert.deepEqual(await violationsOf(page), []);
      });
    }
  }
});
