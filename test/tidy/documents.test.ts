import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText, ROOT } from './tree.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

describe('a document', () => {
  for (const document of DOCUMENTS) {
    it(`${document} names only files that exist`, () => {
      const text = readText(document);
      for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g)) {
        if (/^https?:/.test(link)) continue;
        assert.ok(existsSync(join(ROOT, dirname(document), link)), link);
      }
      for (const [, name = ''] of text.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g)) {
        assert.ok(existsSync(join(ROOT, name)), name);
      }
    });
  }
});
