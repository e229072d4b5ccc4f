import assert from 'node:assert/strict';
import { readText, TEXTS } from './tree.ts';

/** Words that make a sentence vague or odd, and what to write instead. */
const HABITS: readonly [words: RegExp, instead: string][] = [
  [
    /\b(?:nobody|somebody|anybody|everybody|whoever)\b/gi,
    'name the user, client, server or caller',
  ],
  [/\banew\b/gi, 'write "again", or name the new thing'],
  [/\bbeside\b/gi, 'write "in addition to", "next to", "during" or "except"'],
  [
    /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|fewer\b)[a-z]/gi,
    'write "is not a …" or "must be a …"',
  ],
];

/** Where such a word is meant as it stands: here, as an example of itself. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['test/tidy/words.test.ts']);

const CONTEXT = 30;

/** Sentences go on in the next line, behind what begins a line of a comment. */
const unwrapped = (text: string): string => text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ');

function habitsIn(text: string): string[] {
  const sentences = unwrapped(text);
  return HABITS.flatMap(([words, instead]) =>
    [...sentences.matchAll(words)].map(({ index }) => {
      const found = sentences.slice(Math.max(0, index - CONTEXT), index + CONTEXT);
      return `"${found}": ${instead}`;
    }),
  );
}

describe('plain words', () => {
  it('are found where a habit word stands, also across lines of a comment', () => {
    assert.equal(habitsIn('/** Absent: nobody asked. */').length, 1);
    assert.equal(habitsIn(' * a text that is\n * no number').length, 1);
    assert.deepEqual(habitsIn('there is no such file, and it is no longer needed'), []);
  });

  it('are used in sources, tests, documents and manifests', () => {
    assert.ok(TEXTS.includes('docs/limits.md') && TEXTS.includes('server/main.ts'));
    const found = TEXTS.filter((file) => !EXCEPTIONS.has(file)).flatMap((file) =>
      habitsIn(readText(file)).map((habit) => `${file}: ${habit}`),
    );
    assert.deepEqual(found, []);
  });
});
