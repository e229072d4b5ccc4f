import assert from 'node:assert/strict';
import {
  ApiException,
  AdmissionregistrationV1Api,
  ApiextensionsV1Api,
  KubeConfig,
  NetworkingV1Api,
  NodeV1Api,
  RbacAuthorizationV1Api,
} from '@kubernetes/client-node';
import { after, before, describe, it } from 'mocha';
import { Plinth } from '../support/plinth.ts';

const SCHEMA = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'self.metadata.name != "x"', message: 'not x' }],
  properties: {
    spec: {
      type: 'object',
      properties: {
        port: { 'x-kubernetes-int-or-string': true },
        raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        atomic: {
          type: 'object',
          additionalProperties: { type: 'string' },
          'x-kubernetes-map-type': 'atomic',
        },
        keyed: {
          type: 'array',
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
          'x-kubernetes-list-map-keys': ['k'],
          'x-kubernetes-list-type': 'map',
        },
      },
    },
  },
};
const RULE = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };

/** An object under Kubernetes' name, and the typed client's read and replace of it. */
interface Trip {
  readonly path: string;
  readonly object: any;
  readonly back: (name: string) => Promise<unknown>;
}

/** As clients do: the server writes the status of some kinds between the read and the replace. */
async function retriedOnConflict(trip: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await trip();
    } catch (error) {
      if (!(error instanceof ApiException) || error.code !== 409) throw error;
    }
  }
}

describe('a typed client that reads an object and writes it back', () => {
  let plinth: Plinth;
  let config: KubeConfig;
  before(async () => {
    plinth = await Plinth.start();
    config = new KubeConfig();
    config.loadFromFile(plinth.kubeconfig);
  });
  after(() => plinth.dispose());

  const trips: Record<string, Trip> = {
    CustomResourceDefinition: {
      path: 'apiextensions.k8s.io/v1/customresourcedefinitions',
      object: {
        metadata: { name: 'shelves.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'shelves', kind: 'Shelf' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: SCHEMA } },
          ],
        },
      },
      back: async (name) => {
        const api = config.makeApiClient(ApiextensionsV1Api);
        const body = await api.readCustomResourceDefinition({ name });
        return api.replaceCustomResourceDefinition({ name, body });
      },
    },
    ClusterRole: {
      path: 'rbac.authorization.k8s.io/v1/clusterroles',
      object: { metadata: { name: 'typed' }, rules: [{ ...RULE, verbs: ['get'] }] },
      back: async (name) => {
        const api = config.makeApiClient(RbacAuthorizationV1Api);
        return api.replaceClusterRole({ name, body: await api.readClusterRole({ name }) });
      },
    },
    ClusterRoleBinding: {
      path: 'rbac.authorization.k8s.io/v1/clusterrolebindings',
      object: {
        metadata: { name: 'typed' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'typed' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'a' }],
      },
      back: async (name) => {
        const api = config.makeApiClient(RbacAuthorizationV1Api);
        const body = await api.readClusterRoleBinding({ name });
        return api.replaceClusterRoleBinding({ name, body });
      },
    },
    ValidatingAdmissionPolicy: {
      path: 'admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      object: {
        metadata: { name: 'typed' },
        spec: {
          paramKind: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
          matchConstraints: {
            resourceRules: [{ ...RULE, apiVersions: ['v1'], operations: ['UPDATE'] }],
          },
          validations: [{ expression: 'true' }],
        },
      },
      back: async (name) => {
        const api = config.makeApiClient(AdmissionregistrationV1Api);
        const body = await api.readValidatingAdmissionPolicy({ name });
        return api.replaceValidatingAdmissionPolicy({ name, body });
      },
    },
    ServiceCIDR: {
      path: 'networking.k8s.io/v1/servicecidrs',
      object: { metadata: { name: 'typed' }, spec: { cidrs: ['10.30.0.0/24'] } },
      back: async (name) => {
        const api = config.makeApiClient(NetworkingV1Api);
        return api.replaceServiceCIDR({ name, body: await api.readServiceCIDR({ name }) });
      },
    },
    RuntimeClass: {
      path: 'node.k8s.io/v1/runtimeclasses',
      object: {
        metadata: { name: 'typed' },
        handler: 'h',
        scheduling: { nodeSelector: { a: 'b' } },
      },
      back: async (name) => {
        const api = config.makeApiClient(NodeV1Api);
        return api.replaceRuntimeClass({ name, body: await api.readRuntimeClass({ name }) });
      },
    },
  };

  for (const [kind, { path, object, back }] of Object.entries(trips)) {
    it(`loses nothing of a ${kind}, and changes nothing`, async () => {
      const alias = `/apis/${path}`;
      const neutral = alias.replace('.k8s.io', '.cluster.io');
      const [, , group, version] = alias.split('/');
      const type = { apiVersion: `${group}/${version}`, kind };
      const made = await plinth.send('POST', alias, { ...type, ...object });
      const { name } = object.metadata;
      assert.equal(made.status, 201, made.text);
      const meaning = async (): Promise<unknown> => {
        const {
          metadata,
          status: _status,
          ...rest
        } = (await plinth.get(`${neutral}/${name}`)).json;
        const { uid, generation, labels, annotations } = metadata;
        return { ...rest, uid, generation, labels, annotations };
      };
      const before = await meaning();
      await retriedOnConflict(() => back(name));
      assert.deepEqual(await meaning(), before);
      assert.doesNotMatch(JSON.stringify(before), /x-kubernetes-/);
      const shown = (await plinth.get(`${alias}/${name}`)).text;
      assert.doesNotMatch(
        shown,
        /x-cluster-|"(?:api)?[gG]roup":"[^"]*cluster\.io|"apiVersion":"[^"]*cluster\.io/,
      );
    });
  }
});
