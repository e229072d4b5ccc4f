import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { members } from '../testing.ts';
import { app, owned, spec } from './app-testing.ts';

describe('apply: maps', () => {
  it('atomic maps and structs are one field', () => {
    const o = app().apply('alice', spec({ selector: { a: '1' }, place: { zone: 'z' } }));
    assert.deepEqual(owned(o, 'alice'), members('place', 'selector'));
    assert.deepEqual(o.conflicts('bob', spec({ selector: { b: '2' }, place: { rack: 1 } })), [
      '.spec.place',
      '.spec.selector',
    ]);
    o.apply('bob', spec({ selector: { b: '2' } }), { force: true });
    assert.deepEqual((o.spec as JsonObject)['selector'], { b: '2' });
  });

  it('keys of a map that hold objects are owned themselves', () => {
    const o = app().apply('alice', spec({ pools: { east: { size: 1, labels: { a: '1' } } } }));
    assert.deepEqual(owned(o, 'alice'), {
      'f:pools': { 'f:east': { '.': {}, 'f:labels': {}, 'f:size': {} } },
    });
    o.apply('bob', spec({ pools: { west: { size: 2 } } })).apply('alice', spec({}));
    assert.deepEqual(o.spec, { pools: { west: { size: 2 } } });
  });

  it('empty objects are owned as such and share their keys with others', () => {
    const o = app()
      .apply('alice', spec({ env: {}, selector: {} }))
      .apply('bob', spec({ env: { A: '1' } }));
    assert.deepEqual(owned(o, 'alice'), members('env', 'selector'));
    assert.deepEqual(o.apply('alice', spec({})).spec, { env: { A: '1' } });
  });

  it('null for a map keeps what others have in it', () => {
    const o = app()
      .apply('bob', spec({ env: { A: '1' } }))
      .apply('alice', spec({ env: null }));
    assert.deepEqual(o.spec, { env: { A: '1' } });
    assert.deepEqual(owned(o, 'alice'), members('env'));
  });

  it('an object out of which all goes while its owner still names it stays, empty', () => {
    const o = app()
      .apply('alice', spec({ config: { v: 1 }, env: { A: '1' }, pools: { east: { size: 1 } } }))
      .apply('alice', spec({ config: {}, env: {}, pools: { east: {} } }));
    assert.deepEqual(o.spec, { config: {}, env: {}, pools: { east: {} } });
    assert.deepEqual(o.apply('alice', spec({ pools: {} })).spec, { pools: {} });
    assert.deepEqual(o.apply('alice', spec({})).spec, {});
  });

  it('an object inside an item that loses all of it stays, empty', () => {
    const o = app()
      .apply('alice', spec({ containers: [{ name: 'a', limits: { cpu: 1 } }] }))
      .apply('alice', spec({ containers: [{ name: 'a', limits: {} }] }));
    assert.deepEqual(o.spec, { containers: [{ name: 'a', limits: {} }] });
  });

  it('an object that another manager named stays, empty, when all in it is given up', () => {
    const o = app()
      .apply('alice', spec({ env: {} }))
      .apply('bob', spec({ env: { A: '1' } }))
      .apply('bob', spec({}));
    assert.deepEqual(o.spec, { env: {} });
  });

  it('an object that its owner names stays when only empty lists are left in it', () => {
    const o = app()
      .apply('alice', spec({ known: { size: 1, tags: [] } }))
      .apply('alice', spec({ known: {} }));
    assert.deepEqual(o.spec, { known: { tags: [] } });
  });

  it('keys such as __proto__ and constructor are keys like any other', () => {
    const env = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as JsonObject;
    const o = app().apply('alice', spec({ env }));
    assert.equal(
      JSON.stringify(owned(o, 'alice')),
      '{"f:env":{"f:__proto__":{},"f:constructor":{},"f:toString":{}}}',
    );
    o.apply('bob', spec({ env: { A: '1' } })).apply('alice', spec({}));
    assert.deepEqual(o.spec, { env: { A: '1' } });
    assert.equal(({} as JsonObject)['a'], undefined);
  });
});

describe('apply: open types', () => {
  it('an integer and a string are two values of one field', () => {
    const o = app().apply('alice', spec({ surge: 1 }));
    assert.deepEqual(o.conflicts('bob', spec({ surge: '1' })), ['.spec.surge']);
    assert.deepEqual(o.conflicts('bob', spec({ surge: 1 })), []);
  });

  it('in free-form subtrees maps are granular and lists wholes', () => {
    const o = app()
      .apply('alice', spec({ config: { a: { b: 1 }, l: [{ n: 1 }], e: {} } }))
      .apply('bob', spec({ config: { a: { d: true } } }));
    assert.deepEqual(owned(o, 'alice'), {
      'f:config': { 'f:a': { '.': {}, 'f:b': {} }, 'f:e': {}, 'f:l': {} },
    });
    assert.deepEqual(o.conflicts('bob', spec({ config: { l: [] } })), ['.spec.config.l']);
  });

  it('known members of a free-form object follow their schema', () => {
    const o = app().apply('alice', spec({ known: { size: 1, tags: ['a'], extra: { deep: [1] } } }));
    assert.deepEqual(owned(o, 'alice'), {
      'f:known': { 'f:extra': { '.': {}, 'f:deep': {} }, 'f:size': {}, 'f:tags': { 'v:"a"': {} } },
    });
    assert.equal(o.tryApply('alice', spec({ known: { size: 'x' } })).ok, false);
  });

  it('a value may change its type from scalar to map to list', () => {
    const o = app();
    for (const v of [1, 'one', { a: 1 }, [1], null, { b: { c: 2 } }, true]) {
      o.apply('alice', spec({ config: { v } }));
      assert.deepEqual(o.spec, { config: { v } });
    }
    assert.deepEqual(owned(o, 'alice'), { 'f:config': members('v') });
  });

  it('a type change is a conflict about what is lost by it', () => {
    const o = app().apply('alice', spec({ config: { v: { a: 1 } } }));
    assert.deepEqual(o.conflicts('bob', spec({ config: { v: 5 } })), ['.spec.config.v']);
  });

  it('an embedded resource has metadata like any object', () => {
    const template = (finalizers: string[]): JsonObject =>
      spec({ template: { apiVersion: 'v1', kind: 'T', metadata: { finalizers }, spec: { a: 1 } } });
    const o = app()
      .apply('alice', template(['x']))
      .apply('bob', template(['y']));
    const { metadata } = (o.spec as { template: JsonObject }).template;
    assert.deepEqual(metadata, { finalizers: ['x', 'y'] });
  });

  it('64-bit integers are compared exactly', () => {
    const o = app().apply('alice', spec({ config: { n: 9007199254740993n } }));
    assert.deepEqual(o.conflicts('bob', spec({ config: { n: 9007199254740992n } })), [
      '.spec.config.n',
    ]);
    assert.deepEqual(o.conflicts('bob', spec({ config: { n: 9007199254740993n } })), []);
  });
});
