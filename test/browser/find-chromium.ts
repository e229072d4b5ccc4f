import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of the browser: `PLINTH_TEST_CHROMIUM`, or the first on PATH; undefined: there is none. */
export function findChromium(): string | undefined {
  const { PLINTH_TEST_CHROMIUM: given, PATH = '' } = process.env;
  if (given !== undefined) return existsSync(given) ? given : undefined;
  return PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}
