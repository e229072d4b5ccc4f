import assert from 'node:assert/strict';
import { fit } from './match.ts';

describe('the palette', () => {
  const best = (typed: string, ...texts: string[]): string | undefined =>
    texts.filter((text) => fit(text, typed) > 0).sort((a, b) => fit(b, typed) - fit(a, typed))[0];

  it('finds by prefix, substring, capitals and subsequence', () => {
    assert.equal(best('con', 'Secret', 'ConfigMap', 'Icon'), 'ConfigMap');
    assert.equal(best('map', 'Secret', 'ConfigMap'), 'ConfigMap');
    assert.equal(best('crb', 'Secret', 'ClusterRoleBinding', 'ClusterRole'), 'ClusterRoleBinding');
    assert.equal(best('cfgm', 'Secret', 'ConfigMap'), 'ConfigMap');
    assert.equal(best('xyz', 'Secret', 'ConfigMap'), undefined);
  });

  it('prefers an exact match', () => {
    assert.equal(best('role', 'RoleBinding', 'ClusterRole', 'Role'), 'Role');
  });
});
