import assert from 'node:assert/strict';
import { KINDS, operationsOf, type Operation } from './operations.ts';
import {
  SHAPES,
  SPECIFIED_OPERATIONS,
  type Code,
  type SpecifiedKind,
} from './specified-operations.ts';

/** A line of the specification's tables. */
interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly body: string | undefined;
  readonly bodyRequired: boolean;
  readonly answers: Readonly<Record<string, string>>;
}

function wantedOf(kind: string, specified: SpecifiedKind): Wanted[] {
  const { collection, allNamespaces, finalize } = specified;
  const wanted = Object.entries(specified.operations).flatMap(([code, parameters]) => {
    const shape = SHAPES[code as Code];
    const path = shape.on === 'item' ? `${collection}/{name}${shape.suffix ?? ''}` : collection;
    const names = { object: kind, list: `${kind}List`, Status: 'Status' };
    const isObject = code === 'D' && specified.deleteAnswersObject === true;
    const answer = isObject ? kind : names[shape.answer];
    const line: Wanted = {
      method: shape.method,
      path,
      parameters,
      body: shape.body === 'object' ? kind : shape.body,
      bodyRequired: shape.body !== undefined && shape.body !== 'DeleteOptions',
      answers: Object.fromEntries(shape.codes.map((status) => [status, answer])),
    };
    return code === 'L' && allNamespaces !== undefined
      ? [line, { ...line, path: allNamespaces }]
      : [line];
  });
  if (finalize === undefined) return wanted;
  return [
    ...wanted,
    {
      method: 'PUT',
      path: `${collection}/{name}/finalize`,
      parameters: finalize,
      body: kind,
      bodyRequired: true,
      answers: { 200: kind, 201: kind },
    },
  ];
}

const callOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('the operations of the specification', () => {
  for (const [kind, specified] of Object.entries(SPECIFIED_OPERATIONS)) {
    describe(kind, () => {
      const resource = KINDS.find((each) => each.kind.kind === kind);
      assert.ok(resource, kind);
      const published = new Map<string, Operation>(
        operationsOf(resource).map((operation) => [callOf(operation), operation]),
      );
      const wanted = wantedOf(kind, specified);

      it('are all there, and no others', () => {
        assert.deepEqual([...published.keys()].sort(), wanted.map(callOf).sort());
      });

      for (const line of wanted) {
        it(`${callOf(line)} has its parameters, body and answers`, () => {
          const operation = published.get(callOf(line));
          assert.ok(operation);
          const names = operation.parameters.map(({ name }) => name);
          assert.deepEqual(
            line.parameters.filter((name) => !names.includes(name)),
            [],
          );
          assert.equal(names.includes('name'), line.path.includes('{name}'));
          assert.equal(names.includes('namespace'), line.path.includes('{namespace}'));
          assert.equal(operation.body, line.body);
          assert.equal(operation.bodyRequired, line.bodyRequired);
          const { 401: unauthorized, ...answers } = operation.answers;
          assert.deepEqual(answers, line.answers);
          assert.notEqual(unauthorized, undefined, 'every operation may answer 401');
        });
      }
    });
  }
});
