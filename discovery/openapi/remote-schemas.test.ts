import assert from 'node:assert/strict';
import { atOnce } from '../../api/steps.ts';
import { freeNamesSteps, partOfV2Steps } from './remote-schemas.ts';

const to = (name: string) => ({ $ref: `#/definitions/${name}` });

describe("parts of other servers' OpenAPI 2", () => {
  it('are the paths below a place and what they need, also where it needs itself', () => {
    const document = {
      paths: { '/apis/a/v1': to('A'), '/apis/a/v1/x': to('B'), '/apis/a/v11': to('C') },
      definitions: { A: to('B'), B: { items: [to('A'), to('B'), to('missing')] }, C: {} },
    };
    const { paths, definitions } = atOnce(partOfV2Steps(document, '/apis/a/v1'));
    assert.deepEqual(Object.keys(paths), ['/apis/a/v1', '/apis/a/v1/x']);
    assert.deepEqual(Object.keys(definitions).sort(), ['A', 'B']);
  });

  it('have a name of its own for each definition whose name is taken', () => {
    const part = {
      paths: { '/x': { all: [to('Meta'), to('Meta_v2'), to('Own')] } },
      definitions: { Meta: { a: 1 }, Meta_v2: { b: to('Meta') }, Own: { c: to('Meta_v2') } },
    };
    const { paths, definitions } = atOnce(freeNamesSteps(part, (name) => name === 'Meta'));
    assert.deepEqual(definitions, {
      Meta_v3: { a: 1 },
      Meta_v2: { b: to('Meta_v3') },
      Own: { c: to('Meta_v2') },
    });
    assert.deepEqual(paths['/x'], { all: [to('Meta_v3'), to('Meta_v2'), to('Own')] });
  });
});
