import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inBrowser, PROGRAMS, readText, ROOMS, ROOT, SERVED } from './tree.ts';

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

  it('keeps to characters that V8 holds in one byte each, for as long as a program runs', () => {
    const programs = readdirSync(join(ROOT, 'dist/server')).filter((file) => file.endsWith('.js'));
    assert.ok(programs.includes('main.js'));
    const wide = programs.filter((file) => /[^\0-\xff]/.test(readText(`dist/server/${file}`)));
    assert.deepEqual(wide, []);
  });

  it('has the server load the library of certificates only where one is made', () => {
    const makers = SERVED.filter((file) => readText(file).includes("'@peculiar/x509'"));
    assert.ok(makers.includes('access/pki/certificates.ts'));
    const isMaker = (file: string, from: string): boolean =>
      makers.includes(join(dirname(file), from));
    const loading = SERVED.filter((file) =>
      [...readText(file).matchAll(/^import (?!type )(?:[^;]*?) from '(\.[^']+)';/gm)].some(
        ([, from = '']) => isMaker(file, from),
      ),
    );
    const allowed = ['access/pki/installation.ts', 'server/commands/issued-users.ts'];
    assert.deepEqual(
      loading.filter((file) => !makers.includes(file)),
      allowed,
      'a command loads what is named here; everything else takes import() for it',
    );
  });

  it('knows every room of the server: its types, its image and its unit tests', () => {
    const built = ROOMS.filter((room) => SERVED.some((file) => file.startsWith(`${room}/`))).sort();
    // rooms for browsers have their own tsconfig.json, with what browsers offer
    const served = built.filter((room) => !inBrowser(`${room}/`));
    const includedBy = (file: string): string[] =>
      (JSON.parse(readText(file)) as { include: string[] }).include;
    const build = includedBy('tsconfig.build.json');
    assert.deepEqual(build.toSorted(), served, 'tsconfig.build.json');
    const all = includedBy('tsconfig.json');
    assert.deepEqual(
      served.filter((room) => !all.includes(room)),
      [],
      'tsconfig.json',
    );
    const sent = [...readText('.dockerignore').matchAll(/^!([a-z]+)$/gm)].map(([, room]) => room);
    assert.deepEqual(sent.toSorted(), built, '.dockerignore');
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const [, tested = ''] = /\{([^}]*)\}/.exec(scripts['test:unit'] ?? '') ?? [];
    assert.deepEqual(tested.split(',').sort(), built, 'test:unit');
  });
});
