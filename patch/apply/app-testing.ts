import type { JsonObject } from '../../api/json.ts';
import { ManagedObject, mergeSchema, testKind } from '../testing.ts';

/*
 * For tests: a kind with a list and a map of every sort, and the words in which
 * tests speak of its objects.
 */

const text = { type: 'string' };
const number = { type: 'integer' };
const schema = mergeSchema({
  properties: {
    plain: { type: 'array', items: text },
    tags: { type: 'array', items: text, 'x-cluster-list-type': 'set' },
    pairs: {
      type: 'array',
      'x-cluster-list-type': 'set',
      items: { type: 'object', properties: { a: number }, 'x-cluster-map-type': 'atomic' },
    },
    containers: {
      type: 'array',
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: {
          name: text,
          image: text,
          env: {
            type: 'array',
            'x-cluster-list-type': 'map',
            'x-cluster-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: text, value: text } },
          },
          limits: { type: 'object', additionalProperties: { 'x-cluster-int-or-string': true } },
        },
      },
    },
    ports: {
      type: 'array',
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        properties: { port: number, protocol: { type: 'string', default: 'TCP' }, name: text },
      },
    },
    env: { type: 'object', additionalProperties: text },
    selector: { type: 'object', additionalProperties: text, 'x-cluster-map-type': 'atomic' },
    place: {
      type: 'object',
      properties: { zone: text, rack: number },
      'x-cluster-map-type': 'atomic',
    },
    pools: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          size: number,
          labels: { type: 'object', additionalProperties: text, 'x-cluster-map-type': 'atomic' },
        },
      },
    },
    surge: { 'x-cluster-int-or-string': true },
    config: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
    known: {
      type: 'object',
      'x-cluster-preserve-unknown-fields': true,
      properties: {
        size: number,
        tags: { type: 'array', items: text, 'x-cluster-list-type': 'set' },
      },
    },
    template: {
      type: 'object',
      'x-cluster-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: number } } },
    },
  },
});

export const app = (): ManagedObject => new ManagedObject(testKind(schema));

export const spec = (value: JsonObject): JsonObject => ({ spec: value });

/** The fields of the specification that a manager has applied. */
export const owned = (object: ManagedObject, manager: string): unknown =>
  (object.owners[`${manager} Apply`] as JsonObject)['f:spec'];
