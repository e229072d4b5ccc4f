import assert from 'node:assert/strict';
import { qualifiedNameErrors } from './names.ts';
import * as naming from './naming.ts';

describe('naming', () => {
  it('maps groups both ways', () => {
    const pairs: Record<string, string> = {
      'coordination.cluster.io': 'coordination.k8s.io',
      'rbac.authorization.cluster.io': 'rbac.authorization.k8s.io',
      'flowcontrol.apiserver.cluster.io': 'flowcontrol.apiserver.k8s.io',
      'meta.cluster.io': 'meta.k8s.io',
    };
    for (const [neutral, kubernetes] of Object.entries(pairs)) {
      assert.equal(naming.aliasGroup(neutral), kubernetes);
      assert.equal(naming.neutralGroup(kubernetes), neutral);
      assert.equal(naming.aliasApiVersion(`${neutral}/v1`), `${kubernetes}/v1`);
      assert.equal(naming.neutralApiVersion(`${kubernetes}/v1`), `${neutral}/v1`);
    }
  });

  it('leaves groups without an alias unchanged', () => {
    const groups = ['', 'autoscaling', 'example.com', 'gateway.networking.k8s.io', 'k8s.io'];
    for (const group of [
      ...groups,
      '.k8s.io',
      '.cluster.io',
      'constructor.k8s.io',
      'x.cluster.io',
    ]) {
      assert.equal(naming.aliasGroup(group), group);
      assert.equal(naming.neutralGroup(group), group);
    }
    assert.equal(naming.neutralApiVersion('v1'), 'v1');
  });

  it('protects the groups of the project', () => {
    for (const group of ['a.cluster.io', 'x.y.k8s.io', 'kubernetes.io', 'b.kubernetes.io']) {
      assert.equal(naming.isProtectedGroup(group), true, group);
    }
    for (const group of ['', 'example.com', 'mycluster.io', 'cluster.io.example.com']) {
      assert.equal(naming.isProtectedGroup(group), false, group);
    }
  });

  it('lists only names that its own rules accept', () => {
    const { LAST_APPLIED_ANNOTATION, METADATA_NAME_LABEL, CRD_CLEANUP_FINALIZER } = naming;
    const keys = [LAST_APPLIED_ANNOTATION, METADATA_NAME_LABEL, CRD_CLEANUP_FINALIZER];
    for (const [name, value] of Object.entries(naming)) {
      if (/_(LABEL|ANNOTATION|FINALIZER|TAINT|END)$/.test(name)) keys.push(value as string);
    }
    assert.ok(keys.length > 15);
    for (const key of keys) assert.deepEqual(qualifiedNameErrors(key), [], key);
  });
});
