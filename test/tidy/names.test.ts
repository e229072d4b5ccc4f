import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAlias } from '../../api/naming.ts';
import { readText, SERVED } from './tree.ts';

/** The table of names, and the help that tells what the flag is about. */
const ALLOWED = ['api/naming.ts', 'config/flags.ts'];

const code = (file: string): string =>
  readText(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
const namesAlias = (file: string): boolean =>
  [...code(file).matchAll(/[a-z.]+\.k8s\.io\b/g)].some(([group]) => isAlias(group));

describe('aliases of groups', () => {
  it('stand in one table', () => {
    assert.deepEqual(SERVED.filter(namesAlias).sort(), ALLOWED);
  });
});
