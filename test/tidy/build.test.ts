import assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { PROGRAMS, readText, SERVED } from './tree.ts';

/** Files of the source that other files start by their name: threads and processes. */
const STARTED = SERVED.flatMap((file) =>
  [...readText(file).matchAll(/new URL\('(\.[^']+)\.js', import\.meta\.url\)/g)].map(
    ([, name = '']) => join(dirname(file), `${name}.ts`),
  ),
);

describe('the build', () => {
  it('makes every program that is started, under a name of its own', () => {
    const [, list = ''] = /^const PROGRAMS = \[([^\]]*)\]/m.exec(readText('build.ts')) ?? [];
    const built = [...list.matchAll(/'([^']+)'/g)].map(([, file = '']) => file);
    assert.deepEqual(built.toSorted(), [...new Set([...PROGRAMS, ...STARTED])].toSorted());
    assert.equal(new Set(built.map((file) => basename(file))).size, built.length);
  });
});
