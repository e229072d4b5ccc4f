import assert from 'node:assert/strict';
import { Refused } from '../api/http.ts';
import { fieldProblems } from './form-problems.ts';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['engine'],
      properties: { engine: { type: 'string' }, size: { type: 'integer', maximum: 9 } },
    },
  },
};
const fields = [{ path: ['spec', 'engine'] }, { path: ['spec', 'size'] }];
const found = (error: Error | undefined, spec: { size: number }) =>
  Object.fromEntries(fieldProblems(error, { spec }, { schema, schemas: {} }, fields));

describe('problems of the fields of a form', () => {
  it('are those that the server names, and those of the schema about other fields', () => {
    const causes = ['too large', 'odd'].map((message) => ({ field: 'spec.size', message }));
    assert.deepEqual(found(new Refused(422, { details: { causes } }), { size: 12 }), {
      'spec.engine': 'is required',
      'spec.size': 'too large; odd',
    });
  });

  it('are read from a message that names one field', () => {
    const message = 'X in version "v1" cannot be handled as a X: spec.engine: must be a string';
    assert.deepEqual(found(new Refused(400, { message }), { size: 1 }), {
      'spec.engine': 'must be a string',
    });
  });

  it('are none before the server is asked, and where it refuses for another reason', () => {
    for (const error of [undefined, new Refused(403, {}), new Error('away')]) {
      assert.deepEqual(found(error, { size: 12 }), {});
    }
  });
});
