import type { Page } from 'playwright-core';
import { eventually } from '../support/plinth.ts';

const EVERY_MS = 5_000;
/** Readings that the line of the first chart is drawn through. */
const DRAWN = `(document.querySelector('.plot')?.getAttribute('d') ?? '').split(/[ML]/).length - 1`;

/** Has the clock of a page run ahead from now on, and reads the graphs that it shows again. */
export async function runAhead(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
  await page.locator('.plot').first().waitFor({ state: 'attached' });
}

/** Has the clock reach the next reading, without waiting for it. */
export async function nextReading(page: Page, readings = 1): Promise<void> {
  await page.clock.runFor(readings * EVERY_MS);
}

/** Readings with a rate, by the first chart. */
export function drawnReadings(page: Page): Promise<number> {
  return page.evaluate<number>(DRAWN);
}

export async function areDrawn(page: Page, readings: number): Promise<void> {
  await eventually(async () => (await drawnReadings(page)) >= readings, `${readings} readings`);
}
