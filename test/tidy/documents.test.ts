import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText, ROOT, TEXTS } from './tree.ts';

const DOCUMENTS = TEXTS.filter((file) => file.endsWith('.md'));

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```$/gm, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(document: string): ReadonlySet<string> {
  const headings = withoutCode(readText(document)).matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('a document', () => {
  for (const document of DOCUMENTS) {
    it(`${document} names only files and headings that exist`, () => {
      const text = withoutCode(readText(document));
      for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        assert.ok(existsSync(join(ROOT, target)), link);
        if (anchor !== undefined) assert.ok(anchorsOf(target).has(anchor), link);
      }
      for (const [, name = ''] of text.matchAll(/`([a-z]+\/[\w./-]+\.tsx?)`/g)) {
        const near = join(dirname(document), name);
        assert.ok(existsSync(join(ROOT, name)) || existsSync(join(ROOT, near)), name);
      }
    });
  }
});

describe('the changelog', () => {
  it('has short lines, each below what it is: added, changed, fixed or about security', () => {
    const versions = readText('CHANGELOG.md').split(/^## /m).slice(1);
    for (const version of versions) {
      const [before = '', ...parts] = version.split(/^### /m);
      assert.doesNotMatch(before, /^- /m);
      const heads = parts.map((part) => part.split('\n', 1)[0]);
      const order = ['Added', 'Changed', 'Fixed', 'Security'];
      assert.deepEqual(
        heads,
        order.filter((head) => heads.includes(head)),
      );
      const long = version.split('\n').filter((line) => line.length > 300);
      assert.deepEqual(long, []);
    }
  });
});
