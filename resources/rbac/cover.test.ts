import assert from 'node:assert/strict';
import { missingRules } from './cover.ts';
import { rule, type PolicyRule } from './rules.ts';

const numbered = (count: number, of: (i: number) => PolicyRule): PolicyRule[] =>
  Array.from({ length: count }, (_, i) => of(i));
const reads = (resource: string): PolicyRule =>
  rule({ verbs: ['get'], apiGroups: ['a'], resources: [resource] });
const paths = (nonResourceURLs: string[]): PolicyRule => rule({ verbs: ['get'], nonResourceURLs });

describe('rbac: what rules hold of others', () => {
  it('finds the rule that holds another one among thousands with few comparisons', () => {
    const many = numbered(9000, (i) => reads(`r${i}`));
    assert.deepEqual(missingRules(many, many), []);
    assert.deepEqual(missingRules(many, [reads('r9000')]), [reads('r9000')]);
  });

  it('counts a rule as not held when finding it takes more comparisons than the bound', () => {
    const owned = numbered(2000, (i) => ({ ...reads('r'), resourceNames: [`n${i}`] }));
    const wanted = numbered(2000, () => ({ ...reads('r'), resourceNames: ['n1999'] }));
    assert.equal(missingRules(owned, wanted.slice(0, 100)).length, 0);
    assert.equal(missingRules(owned, wanted).length, 1);
  });

  it('a rule for all resources, or for a subresource of all, holds those', () => {
    for (const resource of ['*', 'pods/log', '*/log']) {
      assert.deepEqual(missingRules([reads(resource)], [reads('pods/log')]), [], resource);
    }
    assert.equal(missingRules([reads('pods')], [reads('pods/log')]).length, 1);
    assert.equal(missingRules([reads('*/log')], [reads('log')]).length, 1);
  });

  it('paths are held by themselves and by beginnings of them', () => {
    const owned = [paths(['/a*', '/ab*', '/b/*', '/c', '/d**'])];
    const held = ['/a', '/abc', '/a*', '/ac', '/b/', '/b/x', '/c', '/d', '/dx'];
    assert.deepEqual(missingRules(owned, [paths(held)]), []);
    const others = ['/', '/b', '/cc', '/e', '*'];
    assert.equal(missingRules(owned, [paths(others)]).length, others.length);
    assert.deepEqual(missingRules([paths(['*'])], [paths([...held, ...others])]), []);
  });

  it('compares 40,000 paths with 40,000 beginnings without a look at each pair', () => {
    const patterns = Array.from({ length: 40_000 }, (_, i) => `/a/${i}/*`);
    const wanted = patterns.map((path) => path.replace('*', 'x'));
    const before = process.cpuUsage();
    assert.deepEqual(missingRules([paths(patterns)], [paths(wanted)]), []);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 3_000_000, `${user} µs; a look at each pair takes over ten seconds`);
  });
});
