import assert from 'node:assert/strict';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import { Candidates } from './candidates.ts';
import { matchedVersion, type MatchPolicy } from './matched-version.ts';
import { Rule } from './rule.ts';

const GROUP = 'coordination.cluster.io';
const ALIAS = 'coordination.k8s.io';
const version = (name: string, group = GROUP): ResourceVersion => ({
  resource: { group, version: name, resource: 'leases' },
  kind: { group, version: name, kind: 'Lease' },
});
const rule = (apiVersion: string, more: object = {}): Rule =>
  new Rule({
    ...{ operations: ['*'], apiGroups: [GROUP], apiVersions: [apiVersion], resources: ['leases'] },
    ...more,
  });

/** A request in v1; the resource is served in v2 and v3, too. */
const access = { equivalents: [version('v2'), version('v3')] };
const request = (more: object = {}): AdmissionAttributes =>
  ({
    ...version('v1'),
    ...{ operation: 'CREATE', subresource: '', namespace: 'a', name: 'one', access },
    ...more,
  }) as unknown as AdmissionAttributes;

const matched = (rules: Rule[], policy: MatchPolicy = 'Equivalent'): string | undefined =>
  matchedVersion(rules, policy, request())?.kind.version;

describe('the version in which rules match a request', () => {
  it('is that of the request, where any rule names it', () => {
    assert.equal(matched([rule('v2'), rule('v1')]), 'v1');
  });

  it('is another one with Equivalent only, by the first rule that names one', () => {
    assert.equal(matched([rule('v3'), rule('v2')]), 'v3');
    assert.equal(matched([rule('*')]), 'v1');
    assert.equal(matched([rule('v3'), rule('v2')], 'Exact'), undefined);
    assert.equal(matched([rule('v4')]), undefined);
  });

  it('needs the name that a rule asks for, in every version', () => {
    for (const [name, found] of [
      ['one', 'v2'],
      ['other', undefined],
    ] as const) {
      assert.equal(matched([rule('v2', { resourceNames: [name] })]), found, name);
    }
  });

  it('names the group as the rule that matched does', () => {
    const byAlias = rule('v2', { apiGroups: [ALIAS] });
    assert.deepEqual(matchedVersion([byAlias], 'Equivalent', request()), version('v2', ALIAS));
    assert.deepEqual(matchedVersion([rule('v2')], 'Equivalent', request()), version('v2'));
  });
});

describe('candidates among webhooks and policies', () => {
  const ruled = (name: string, ...rules: Rule[]) => ({
    ...{ name, rules, matchPolicy: 'Equivalent' as const },
  });
  const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);

  it('are those whose rules may match, in their order', () => {
    const all = new Candidates([
      ruled('by version', rule('v2')),
      ruled('of another resource', rule('*', { resources: ['nodes'] })),
      ruled('by name', rule('v1', { resourceNames: ['other'] })),
    ]);
    assert.deepEqual(names(all.for(request())), ['by version', 'by name']);
  });

  it('are found once for an operation and a scope, and again for a changed kind', () => {
    let asked = 0;
    const counting = rule('v1', { operations: ['CREATE'] });
    const matches = counting.matches.bind(counting);
    counting.matches = (...args) => {
      asked++;
      return matches(...args);
    };
    const all = new Candidates([ruled('creates', counting)]);
    const first = all.for(request());
    assert.equal(all.for(request({ name: 'two' })), first);
    const before = asked;
    assert.deepEqual(names(all.for(request({ operation: 'DELETE' }))), []);
    assert.ok(asked > before);
    assert.notEqual(all.for(request({ access: { equivalents: [] } })), first);
  });
});
