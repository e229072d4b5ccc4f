/** Says before the tests of the console begin, in one line each, which programs they need are not there. */
import { spawnSync } from 'node:child_process';
import { findChromium } from './find-chromium.ts';

if (findChromium() === undefined) {
  console.error(
    'no chromium for the tests of the console: apt-get install chromium, or name it in PLINTH_TEST_CHROMIUM',
  );
  process.exitCode = 1;
}
if (spawnSync('curl', ['--version']).status !== 0) {
  console.error('no curl for the tests of the console: apt-get install curl');
  process.exitCode = 1;
}
