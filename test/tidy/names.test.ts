import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readText, SERVED } from './tree.ts';

/** The table of names, and the help that tells what the flag is about. */
const ALLOWED = ['api/naming.ts', 'config/flags.ts'];

const code = (file: string): string =>
  readText(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');

describe("names of Kubernetes' groups, labels and annotations", () => {
  it('stand in one table', () => {
    const found = SERVED.filter((file) => /\b(?:k8s|kubernetes)\.io\b/.test(code(file)));
    assert.deepEqual(found.sort(), ALLOWED);
  });
});
