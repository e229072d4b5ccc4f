import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { curlOf, kubectlOf, operationsOf, pathWith, quoted } from './operations.ts';

const document = {
  paths: {
    '/apis/x/v1/namespaces/{namespace}/things/{name}': {
      parameters: [{ $ref: '#/components/parameters/name' }, { name: 'namespace', in: 'path' }],
      get: { description: 'Reads it.', parameters: [{ name: 'pretty', in: 'query' }] },
      put: { requestBody: { content: { 'application/json': {} } } },
      patch: { requestBody: { content: { 'application/merge-patch+json': {} } } },
    },
  },
  components: { parameters: { name: { name: 'name', in: 'path', description: 'Its name.' } } },
};
const [get, put, patch] = operationsOf(document);
const values = { namespace: 'a b', name: "it's", pretty: 'true' };

describe('the API explorer', () => {
  it('reads operations with their parameters', () => {
    assert.deepEqual([get!.method, put!.method, patch!.method], ['GET', 'PUT', 'PATCH']);
    assert.deepEqual(
      get!.parameters.map(({ name }) => name),
      ['name', 'namespace', 'pretty'],
    );
    assert.equal(get!.parameters[0]!.description, 'Its name.');
  });

  it('writes requests as commands of curl and kubectl', () => {
    const filled = { values, body: '{"a": 1}', type: 'application/json' };
    assert.equal(pathWith(get!, filled), "/apis/x/v1/namespaces/a%20b/things/it's?pretty=true");
    assert.match(
      curlOf(put!, filled, 'https://h'),
      /-X PUT \\\n {2}-H 'Content-Type: application\/json'/,
    );
    assert.match(
      kubectlOf(put!, filled) ?? '',
      /^kubectl replace --raw .* -f - <<'BODY'\n\{"a": 1\}\nBODY$/,
    );
    assert.equal(kubectlOf(patch!, filled), undefined);
  });

  it('quotes every value as one shell word', () => {
    const text = fc.string().filter((each) => !each.includes('\0') && !each.includes('\r'));
    fc.assert(
      fc.property(text, (word) => {
        const said = execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' });
        assert.equal(said, word);
      }),
      { numRuns: 30 },
    );
  });
});
