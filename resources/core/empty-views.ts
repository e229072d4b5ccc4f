import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { JsonObject } from '../../api/json.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textAt } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';

/** A kind that clients list and watch without asking whether there is any. */
interface EmptyView {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly isOfCluster?: true;
  /** Selectable fields: `spec.nodeName`. */
  readonly fields?: readonly string[];
}

const VIEWS: readonly EmptyView[] = [
  { kind: 'Endpoints', plural: 'endpoints', shortNames: ['ep'] },
  { kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', shortNames: ['pvc'] },
  {
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    isOfCluster: true,
  },
  {
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    fields: [
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
      'status.podIPs',
    ],
  },
  {
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    fields: ['status.replicas'],
  },
  {
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    fields: ['spec.clusterIP', 'spec.type'],
  },
];

/**
 * Kinds of workloads that are read only, and of which there never is an object,
 * unless a definition brings the kind. Source: behaviours 1.15.
 */
export const emptyViewDefinitions: readonly ResourceDefinition[] = VIEWS.map(
  ({ kind: name, plural, shortNames = [], isOfCluster, fields = [] }) =>
    builtinDefinition({
      group: '',
      version: 'v1',
      kind: name,
      plural,
      shortNames,
      namespaced: isOfCluster !== true,
      givesWay: true,
      verbs: ['get', 'list', 'watch'],
      schema: kind(
        `io.cluster.core.v1.${name}`,
        {},
        { description: 'There is none: this server runs no workloads.' },
      ),
      strategy: {
        validateName: nameIsDnsSubdomain,
        createOnUpdate: false,
        unconditionalUpdate: false,
      },
      selectableFields: new Map(
        fields.map((field) => [
          field,
          (object: JsonObject): string => textAt(object, ...field.split('.')),
        ]),
      ),
      columns: [nameColumn, ageColumn],
    }),
);
