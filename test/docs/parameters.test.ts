import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as parameters from '../../discovery/openapi/parameters.ts';
import { ROOT } from './blocks.ts';

describe('docs/api-conventions.md', () => {
  it('documents every query parameter that OpenAPI publishes', () => {
    const page = readFileSync(join(ROOT, 'docs/api-conventions.md'), 'utf8');
    const published = new Set(
      Object.values(parameters)
        .flatMap((exported) => (Array.isArray(exported) ? exported : [exported]))
        .filter((value): value is { name: string; in: string } => Object(value).in === 'query')
        .map(({ name }) => name),
    );
    assert.ok(published.size >= 18, 'the parameters were found');
    const missing = [...published].filter(
      (name) => !new RegExp(`^\\|[^|]*\`${name}(=[^\`]*)?\`[^|]*\\|`, 'm').test(page),
    );
    assert.deepEqual(missing, []);
  });
});
