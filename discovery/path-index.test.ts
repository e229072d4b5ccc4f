import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gt, parse } from 'semver';
import { gitVersion, handleVersion, PLINTH_VERSION } from './version.ts';
import { PathIndex } from './path-index.ts';
import { requestOf } from './testing/definitions.ts';

describe('the index of paths', () => {
  const index = new PathIndex([() => ['/version', '/api'], () => ['/healthz', '/api']]);

  it('lists every path once, in order', () => {
    const response = index.handle(requestOf('/'));
    assert.equal(response?.status, 200);
    assert.deepEqual(JSON.parse((response.body as Buffer).toString()), {
      paths: ['/api', '/healthz', '/version'],
    });
  });

  it('is at the root alone', () => {
    assert.equal(index.handle(requestOf('/x')), undefined);
    assert.equal(index.handle(requestOf('/', { method: 'POST' })), undefined);
  });
});

describe('the version', () => {
  it('is that of the package, in a form that clients can compare', () => {
    const json = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    assert.equal(PLINTH_VERSION, (JSON.parse(json) as { version: string }).version);
    assert.match(gitVersion(), /^v1\.\d+\.\d+\+/);
    assert.ok(gt(parse(gitVersion().slice(1)) ?? '0.0.0', '1.35.9'));
  });

  it('is answered with every field that clients know', () => {
    const response = handleVersion(requestOf('/version'), { commit: 'abc', date: '' });
    const version = JSON.parse((response as { body: Buffer }).body.toString()) as Record<
      string,
      string
    >;
    for (const field of 'major minor gitVersion gitCommit gitTreeState buildDate goVersion compiler platform'.split(
      ' ',
    )) {
      assert.equal(typeof version[field], 'string', field);
    }
    assert.deepEqual([version['gitCommit'], version['gitTreeState']], ['abc', 'clean']);
    assert.equal(handleVersion(requestOf('/versions')), undefined);
  });
});
