import assert from 'node:assert/strict';
import { aliasStatus, aliasText } from './alias-text.ts';

const GROUP = 'authorization.cluster.io';

describe('messages under an alias', () => {
  it('names the group as a whole word only', () => {
    const texts: Record<string, string> = {
      'x.authorization.cluster.io "a" not found': 'x.authorization.k8s.io "a" not found',
      'in API group "authorization.cluster.io"': 'in API group "authorization.k8s.io"',
      '(authorization.cluster.io/v1)': '(authorization.k8s.io/v1)',
      'myauthorization.cluster.io': 'myauthorization.cluster.io',
      'authorization.cluster.io.example.com': 'authorization.cluster.io.example.com',
      'coordination.cluster.io': 'coordination.cluster.io',
    };
    for (const [text, wanted] of Object.entries(texts)) {
      assert.equal(aliasText(text, GROUP), wanted);
    }
  });

  it('translate schema extension keys, also in causes', () => {
    const { message, details } = aliasStatus(
      {
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
        message: 'a.x-cluster-list-type: Required value',
        details: {
          ...{ name: 'a', group: GROUP, kind: 'K' },
          causes: [{ reason: 'FieldValueRequired', field: 'a.x-cluster-list-type' }],
        },
      },
      GROUP,
    );
    assert.equal(message, 'a.x-kubernetes-list-type: Required value');
    assert.deepEqual(details, {
      ...{ name: 'a', group: 'authorization.k8s.io', kind: 'K' },
      causes: [{ reason: 'FieldValueRequired', field: 'a.x-kubernetes-list-type' }],
    });
  });
});
