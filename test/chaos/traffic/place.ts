import type { Content, View } from '../checker/history.ts';

/** Where the objects of a run live. */
export const NAMESPACE = 'chaos';
export const COLORS = ['red', 'blue'] as const;
const GROUP = 'chaos.example.org';
export const STORE_PREFIX = `/registry/${GROUP}/notes/${NAMESPACE}/`;
export const COLLECTION = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/notes`;
export const UNION = '/apis/query.cluster.io/v1/watch';
export const RESOURCE = `notes.${GROUP}`;
export const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** The parameters that ask for a view. */
export function parametersOf({ color, by, colorOnly }: View): URLSearchParams {
  const query = new URLSearchParams();
  if (color !== undefined) {
    if (by === 'filter') query.set('filter', `object.spec.color == '${color}'`);
    else if (by === 'fieldSelector') query.set('fieldSelector', `spec.color=${color}`);
    else query.set('labelSelector', `color=${color}`);
  }
  if (colorOnly === true) query.set('fields', 'spec.color');
  return query;
}

/** The same as a query. */
export function queryOf(view: View): string {
  return parametersOf(view).toString();
}

/** The server that a client asks next. */
export type Choose = () => string;

/** A kind that is not created by a PUT, so that every update names what it replaces. */
export const NOTE_DEFINITION = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: RESOURCE },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'notes', singular: 'note', kind: 'Note', listKind: 'NoteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { value: { type: 'string' }, color: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

export function noteOf(name: string, content: Content, resourceVersion?: bigint): object {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Note',
    metadata: {
      name,
      labels: { color: content.color },
      ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }),
    },
    spec: { ...content },
  };
}
