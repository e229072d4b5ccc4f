import assert from 'node:assert/strict';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { readText } from '../tidy/tree.ts';

const KINDS = [
  ...new Set(builtinDefinitions(ALL_FEATURE_GATES).map(({ names }) => names.kind)),
].sort();

describe('the kinds', () => {
  it('in the README are those that the server has', () => {
    const list = /\nBuilt in:\n\n((?:- .*\n)+)/.exec(readText('README.md'))?.[1] ?? '';
    const named = list.match(/\b[A-Z]\w+/g) ?? [];
    assert.deepEqual(named.sort(), KINDS);
  });

  it('all stand in the specification', () => {
    const text = readText('docs/specification.md');
    const missing = KINDS.filter((kind) => !new RegExp(`\\b${kind}\\b`).test(text));
    assert.deepEqual(missing, []);
  });

  it('are added by a guide that names the parts of a definition as the code does', () => {
    const guide = readText('docs/adding-a-kind.md');
    const code = readText('resources/builtin-definition.ts') + readText('resources/definition.ts');
    const named = [...guide.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
    const fields = named.filter((name) => /^[a-z]+[A-Za-z]*$/.test(name));
    const elsewhere = ['kind', 'numbers', 'object', 'path', 'protobuf'];
    const unknown = fields.filter(
      (name) => !elsewhere.includes(name) && !new RegExp(`\\b${name}\\b`).test(code),
    );
    assert.deepEqual(unknown, []);
  });
});
