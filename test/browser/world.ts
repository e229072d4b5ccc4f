import { install } from '../support/custom.ts';
import type { Plinth } from '../support/plinth.ts';

/** A kind as users define them: with columns, a schema, and a status of its own. */
export const DATABASES = '/apis/demo.example.com/v1/namespaces/default/databases';
export const TABLE = '#/kind/demo.example.com/v1/databases';

const CONDITION = {
  type: 'object',
  properties: {
    ...{ type: { type: 'string' }, status: { type: 'string' }, reason: { type: 'string' } },
    message: { type: 'string' },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};
const SCHEMA = {
  type: 'object',
  description: 'A database that a team runs.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      description: 'What is wanted.',
      required: ['engine'],
      properties: {
        engine: {
          type: 'string',
          enum: ['postgres', 'mysql', 'sqlite'],
          description: 'The program that keeps the data.',
        },
        replicas: {
          ...{ type: 'integer', minimum: 1, maximum: 9, default: 1 },
          description: 'How many copies run.',
        },
        owner: { type: 'string', description: 'The team that is called at night.' },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string' }, conditions: { type: 'array', items: CONDITION } },
    },
  },
};

/** Defines the kind and makes `count` objects `db-000`, `db-001`, …; the first is ready. */
export async function furnish(plinth: Plinth, count: number): Promise<void> {
  await install(plinth, {
    ...{ plural: 'databases', kind: 'Database', group: 'demo.example.com', schema: SCHEMA },
    names: { shortNames: ['db'] },
    version: {
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: 'Engine', type: 'string', jsonPath: '.spec.engine' },
        { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  });
  for (let i = 0; i < count; i++) await make(plinth, nameOf(i), { replicas: (i % 5) + 1 });
  if (count > 0) await setPhase(plinth, nameOf(0), 'Ready');
}

export const nameOf = (i: number): string => `db-${String(i).padStart(3, '0')}`;

export async function make(
  plinth: Plinth,
  name: string,
  spec: object,
  metadata = {},
): Promise<void> {
  const reply = await plinth.send('POST', DATABASES, {
    ...{ apiVersion: 'demo.example.com/v1', kind: 'Database' },
    metadata: { name, labels: { tier: 'gold' }, ...metadata },
    spec: { engine: 'postgres', ...spec },
  });
  if (reply.status !== 201) throw new Error(reply.text);
}

/** Writes what controllers write. */
export async function setPhase(plinth: Plinth, name: string, phase: string): Promise<void> {
  const condition = {
    ...{
      type: 'Ready',
      status: 'True',
      reason: 'AllCopiesRun',
      message: `${phase}: 3 of 3 copies`,
    },
    lastTransitionTime: '2026-01-02T03:04:05Z',
  };
  const reply = await plinth.send(
    'PATCH',
    `${DATABASES}/${name}/status`,
    { status: { phase, conditions: [condition] } },
    { 'content-type': 'application/merge-patch+json' },
  );
  if (reply.status !== 200) throw new Error(reply.text);
}
