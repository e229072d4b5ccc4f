import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse } from 'yaml';
import type { JsonValue } from '../../api/json.ts';
import { policyOf } from '../../access/audit/policy-file.ts';
import { encryptionOf } from '../../server/encryption/config-file.ts';
import { blockOf, type } from './blocks.ts';

const PAGE = 'docs/security.md';
const TEXT = readFileSync(PAGE, 'utf8');
const ROW = /^\| [^|]+ \| `([\w/.-]+)` "([^"]+)" \|$/;

/** The pieces of YAML on the page, by what they are. */
function samples(kind: string): JsonValue[] {
  return [...TEXT.matchAll(/```yaml\n(.*?)```/gs)]
    .map(([, text = '']) => parse(text) as JsonValue & { kind: string })
    .filter((sample) => sample.kind === kind);
}

describe('docs/security.md', () => {
  const table = TEXT.slice(TEXT.indexOf('## Attacks')).split('\n');
  const rows = table.filter((line) => line.startsWith('| ') && !line.startsWith('| class |'));

  it('has a test for every class of attack', () => {
    assert.ok(rows.length > 40);
    for (const row of rows) assert.match(row, ROW);
  });

  for (const row of rows) {
    const [, file = '', title = ''] = ROW.exec(row) ?? [];
    it(`there is a test "${title}"`, () => {
      const source = readFileSync(file, 'utf8');
      const begins = ['it', 'describe'].flatMap((call) => [
        `${call}('${title}'`,
        `${call}(\`${title}\``,
      ]);
      assert.ok(
        begins.some((text) => source.includes(text)),
        file,
      );
    });
  }

  it('shows a policy and an encryption that can be used', async () => {
    const policies = samples('Policy');
    assert.equal(policies.length, 1);
    for (const policy of policies) policyOf(policy);
    const [encryption] = samples('EncryptionConfiguration');
    const key = (
      await type(blockOf(PAGE, 'Encryption at rest').commands, { cwd: tmpdir() })
    ).trim();
    const filled = JSON.stringify(encryption).replace('<the line above>', key);
    assert.equal(encryptionOf(JSON.parse(filled) as JsonValue).length, 1);
  });
});
