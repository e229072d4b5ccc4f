import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = 'dist/console';
/** What a browser loads before the first view, as it travels. */
const MOST_BYTES = 150 * 1024;

/** Files of the first load: those that the page names, and what they import at once. */
function firstLoad(): Set<string> {
  const page = readFileSync(join(DIRECTORY, 'index.html'), 'utf8');
  const files = new Set(['index.html']);
  const visit = (name: string): void => {
    if (files.has(name)) return;
    files.add(name);
    if (!name.endsWith('.js')) return;
    const text = readFileSync(join(DIRECTORY, name), 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) {
      visit(`assets/${target}`);
    }
  };
  for (const [, name = ''] of page.matchAll(/"\/console\/(assets\/[^"]+)"/g)) visit(name);
  return files;
}

describe('the size of the console', () => {
  it(`is below ${MOST_BYTES / 1024} KiB at first, and the editor comes later`, () => {
    const files = [...firstLoad()];
    assert.ok(files.some((name) => name.endsWith('.css')) && files.length >= 4, files.join(' '));
    const bytes = files.reduce(
      (sum, name) => sum + statSync(join(DIRECTORY, `${name}.br`)).size,
      0,
    );
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    const texts = files.map((name) => readFileSync(join(DIRECTORY, name), 'utf8'));
    assert.ok(!texts.some((text) => text.includes('cm-content')), 'the editor is loaded at once');
    console.log(`      first load: ${(bytes / 1024).toFixed(1)} KiB in ${files.length} files`);
  });
});
