import assert from 'node:assert/strict';
import { FILES, isTest, readText } from './tree.ts';

const CONSOLE = FILES.filter((file) => file.startsWith('console/') && !isTest(file));

/** What makes elements, or programs, of text. */
const MAKERS =
  /\b(?:innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|srcdoc|eval|document\.write|DOMParser|createContextualFragment)\b|new Function\b/;
/** Addresses that come from data could run a program. */
const HREF = /\b(?:href|src|action|formAction)=\{([^}]*)\}/g;
const OWN_ADDRESS =
  /^(?:OIDC_PATH$|`?#|\w*[hH]ash(?:Of)?\b|(?:table|object)Hash\(|hash\(|node\.hash|check\.hash|hashOf\()/;

describe('the console', () => {
  it('makes elements and programs of its own sources alone: what users write stays text', () => {
    assert.ok(CONSOLE.length > 50);
    assert.deepEqual(
      CONSOLE.filter((file) => MAKERS.test(readText(file))),
      [],
    );
  });

  it('leads to places of its own alone', () => {
    const strange = CONSOLE.flatMap((file) =>
      [...readText(file).matchAll(HREF)]
        .filter(([, address = '']) => !OWN_ADDRESS.test(address.trim()))
        .map(([text]) => `${file}: ${text}`),
    );
    assert.deepEqual(strange, []);
  });

  it('loads nothing from other servers', () => {
    const found = CONSOLE.filter((file) =>
      /https?:\/\/(?!www\.w3\.org)/.test(
        readText(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*$/gm, ''),
      ),
    );
    assert.deepEqual(found, []);
  });
});
