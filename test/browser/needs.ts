/** Says before the tests of the console begin, in one line, that there is no browser for them. */
import { findChromium } from './find-chromium.ts';

if (findChromium() === undefined) {
  console.error(
    'no chromium for the tests of the console: apt-get install chromium, or name it in PLINTH_TEST_CHROMIUM',
  );
  process.exit(1);
}
