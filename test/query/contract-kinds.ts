/** A kind of kind that every parameter is tried on, under one of its names and versions. */
export interface Subject {
  readonly name: string;
  readonly path: string;
  /** A field of it that holds 2 in one object, 10 in another and nothing in the third. */
  readonly own: string;
  /** What is written around the value of this field; undefined: without one. */
  readonly body: (value: number | undefined) => object;
  /** Selects the object whose field holds 10. */
  readonly filter: string;
  /** The order of the three by this field. */
  readonly ascending: string;
  readonly isCustom?: boolean;
}

const NAMESPACE = 'namespaces/default';
export const CONVERTED_GROUP = 'conversion.example.com';

export const BOX_VERSIONS = ['v1', 'v2'].map((name) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
    },
  },
}));

const both = (path: string): string[] => [path, path.replace('.cluster.io/', '.k8s.io/')];

const leases = both(`/apis/coordination.cluster.io/v1/${NAMESPACE}/leases`).map(
  (path): Subject => ({
    name: `built-in kind, ${path}`,
    path,
    own: 'spec.leaseDurationSeconds',
    body: (value) => ({ spec: { leaseDurationSeconds: value } }),
    filter: 'object.spec.leaseDurationSeconds > 5',
    ascending: 'a b c',
  }),
);

const clusterRoles = both('/apis/rbac.authorization.cluster.io/v1/clusterroles').map(
  (path): Subject => ({
    name: `kind without namespaces, ${path}`,
    path,
    own: 'metadata.annotations["example.com/size"]',
    body: (value) => ({
      rules: [],
      metadata: { annotations: value === undefined ? {} : { 'example.com/size': String(value) } },
    }),
    filter: 'object.metadata.annotations["example.com/size"] == "10"',
    ascending: 'b a c',
  }),
);

const configMaps: Subject = {
  name: 'kind of the core group',
  path: `/api/v1/${NAMESPACE}/configmaps`,
  own: 'data.size',
  body: (value) => ({ data: value === undefined ? {} : { size: String(value) } }),
  filter: 'int(object.data.size) > 5',
  ascending: 'b a c',
};

const seriesOf = (value: number | undefined): object =>
  value === undefined
    ? {}
    : { series: { count: value, lastObservedTime: '2024-01-01T00:00:00.000000Z' } };
const REPORTED = {
  ...{ action: 'Test', reason: 'Tested', type: 'Normal' },
  eventTime: '2024-01-01T00:00:00.000000Z',
};
const REGARDING = { kind: 'ConfigMap', apiVersion: 'v1', namespace: 'default', name: 'x' };

const events = [
  `/api/v1/${NAMESPACE}/events`,
  ...both(`/apis/events.cluster.io/v1/${NAMESPACE}/events`),
].map((path): Subject => ({
  name: `Event, ${path}`,
  path,
  own: 'series.count',
  body: (value) => ({
    ...REPORTED,
    ...(path.startsWith('/api/')
      ? {
          involvedObject: REGARDING,
          ...{ reportingComponent: 'example.com/test', reportingInstance: 'test-1' },
        }
      : {
          regarding: REGARDING,
          ...{ reportingController: 'example.com/test', reportingInstance: 'test-1' },
        }),
    ...seriesOf(value),
  }),
  filter: 'object.series.count > 5',
  ascending: 'a b c',
}));

const apiVersionOf = (path: string): string => path.split('/').slice(2, 4).join('/');

const boxes = ['v1', 'v2']
  .map((version) => `/apis/test.example.com/${version}/${NAMESPACE}/boxes`)
  .map((path): Subject => ({
    name: `custom kind, ${path}`,
    path,
    own: 'spec.size',
    body: (value) => ({
      ...{ apiVersion: apiVersionOf(path), kind: 'Box' },
      spec: { size: value },
    }),
    filter: 'object.spec.size > 5',
    ascending: 'a b c',
    isCustom: true,
  }));

const gadgets: Subject = {
  name: 'custom kind in a version that a webhook converts',
  path: `/apis/${CONVERTED_GROUP}/v2/${NAMESPACE}/gadgets`,
  own: 'spec.width',
  body: (value) => ({
    ...{ apiVersion: `${CONVERTED_GROUP}/v2`, kind: 'Gadget' },
    spec: { width: value },
  }),
  filter: 'object.spec.width > 5',
  ascending: 'a b c',
  isCustom: true,
};

export const SUBJECTS: readonly Subject[] = [
  ...leases,
  ...clusterRoles,
  configMaps,
  ...events,
  ...boxes,
  gadgets,
];

/** A selection as a client writes it, and the objects that it leaves. */
interface Selection {
  readonly query: string;
  readonly leaves: string;
  /** What a watch tells when `b` changes from 10 to 2 and goes: the letters of the types. */
  readonly events: string;
}

/** The selections that are tried on a kind. */
export function selectionsOf({ own, filter }: Subject): Selection[] {
  const query = (name: string, text: string): string => `${name}=${encodeURIComponent(text)}`;
  return [
    { query: '', leaves: 'a b c', events: 'MD' },
    { query: query('labelSelector', 'set=contract,n in (a,b)'), leaves: 'a b', events: 'MD' },
    { query: query('fieldSelector', 'metadata.name=b'), leaves: 'b', events: 'MD' },
    { query: query('fieldSelector', 'metadata.name!=b'), leaves: 'a c', events: '' },
    { query: query('fieldSelector', `${own}=10`), leaves: 'b', events: 'D' },
    { query: query('fieldSelector', `${own}!=10`), leaves: 'a c', events: 'AD' },
    { query: query('fieldSelector', `${own} in (2,3)`), leaves: 'a', events: 'AD' },
    { query: query('fieldSelector', `${own} notin (2)`), leaves: 'b c', events: 'D' },
    { query: query('fieldSelector', own), leaves: 'a b', events: 'MD' },
    { query: query('fieldSelector', `!${own}`), leaves: 'c', events: '' },
    { query: query('filter', filter), leaves: 'b', events: 'D' },
    { query: query('filter', `!(${filter})`), leaves: 'a', events: 'AD' },
    {
      query: `${query('filter', filter)}&${query('fieldSelector', `${own}=2`)}`,
      ...{ leaves: '', events: '' },
    },
    { query: 'authorized=true', leaves: 'a b c', events: 'MD' },
  ];
}
