import assert from 'node:assert/strict';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { fieldErrorText, type FieldError } from './field-error.ts';
import { FieldPath } from './field-path.ts';
import { nameIsDnsSubdomain } from './name-rules.ts';
import type { ObjectMeta, OwnerReference } from './object.ts';
import {
  finalizerWarnings,
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './objectmeta-validation.ts';
import { dedupOwnerReferences, duplicateOwnersWarning } from './owner-references.ts';

const namespaced = { namespaced: true, validateName: nameIsDnsSubdomain };
const base: ObjectMeta = { name: 'a', namespace: 'ns' };
const owner: OwnerReference = { apiVersion: 'example.com/v1', kind: 'K', name: 'n', uid: 'u' };

const causes = (errors: readonly FieldError[]): string[] =>
  errors.map((e) => `${e.type} ${e.path}`);
const onCreate = (meta: ObjectMeta): string[] =>
  causes(validateObjectMeta({ ...base, ...meta }, namespaced));
const onUpdate = (meta: ObjectMeta, old: ObjectMeta = {}): string[] =>
  causes(validateObjectMetaUpdate({ ...base, ...meta }, { ...base, ...old }));

describe('validateObjectMeta', () => {
  it('accepts valid metadata', () => {
    assert.deepEqual(onCreate({}), []);
    const meta: ObjectMeta = {
      generateName: 'a-',
      labels: { 'example.com/tier': 'gold', a: '' },
      annotations: { 'Example.com/Note': 'line 1\nline 2', LOUD: '', json: '{"a":[1]}' },
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, apiVersion: 'v1' },
      ],
      finalizers: ['example.com/hold', 'orphan'],
      managedFields: [{ manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: {} }],
    };
    assert.deepEqual(onCreate(meta), []);
    assert.deepEqual(onUpdate(meta), []);
  });

  it('requires a name', () => {
    assert.deepEqual(onCreate({ name: '' }), ['FieldValueRequired metadata.name']);
    assert.deepEqual(onCreate({ name: 'Abc' }), ['FieldValueInvalid metadata.name']);
    assert.deepEqual(onCreate({ generateName: 'Job-' }), [
      'FieldValueInvalid metadata.generateName',
    ]);
    assert.deepEqual(onCreate({ generateName: 'job.' }), [
      'FieldValueInvalid metadata.generateName',
    ]);
    const errors = validateObjectMeta({ namespace: 'ns' }, namespaced);
    assert.equal(
      errors.map(fieldErrorText).join(),
      'metadata.name: Required value: name or generateName is required',
    );
  });

  it('requires a namespace exactly for namespaced kinds', () => {
    assert.deepEqual(onCreate({ namespace: '' }), ['FieldValueRequired metadata.namespace']);
    assert.deepEqual(onCreate({ namespace: 'a.b' }), ['FieldValueInvalid metadata.namespace']);
    const clusterWide = { namespaced: false, validateName: nameIsDnsSubdomain };
    assert.deepEqual(causes(validateObjectMeta(base, clusterWide)), [
      'FieldValueForbidden metadata.namespace',
    ]);
    assert.deepEqual(validateObjectMeta({ name: 'a' }, clusterWide), []);
  });

  it('reports keys and values of labels at the labels', () => {
    assert.deepEqual(onCreate({ labels: { 'a b': 'c' } }), ['FieldValueInvalid metadata.labels']);
    assert.deepEqual(onUpdate({ labels: { a: 'my shop' } }), ['FieldValueInvalid metadata.labels']);
  });

  it('allows 256 KiB of annotations, counted in bytes over all of them', () => {
    const max = 256 * 1024;
    const tooLong = ['FieldValueTooLong metadata.annotations'];
    assert.deepEqual(onCreate({ annotations: { n: 'x'.repeat(max - 1) } }), []);
    assert.deepEqual(onCreate({ annotations: { n: 'x'.repeat(max) } }), tooLong);
    assert.deepEqual(onCreate({ annotations: { n: 'ü'.repeat(max / 2) } }), tooLong);
    const half = 'x'.repeat(max / 2);
    assert.deepEqual(onUpdate({ annotations: { a: half, b: half } }), tooLong);
    assert.deepEqual(onCreate({ annotations: { 'my note': '' } }), [
      'FieldValueInvalid metadata.annotations',
    ]);
  });

  it('requires complete owner references', () => {
    const at = 'FieldValueInvalid metadata.ownerReferences';
    const empty = { apiVersion: '', kind: '', name: '', uid: '' };
    assert.deepEqual(onCreate({ ownerReferences: [empty] }), [
      `${at}.apiVersion`,
      `${at}.kind`,
      `${at}.name`,
      `${at}.uid`,
    ]);
    for (const apiVersion of ['a/b/c', 'a/', '/']) {
      assert.deepEqual(onCreate({ ownerReferences: [{ ...owner, apiVersion }] }), [
        `${at}.apiVersion`,
      ]);
    }
    const event = { ...owner, apiVersion: 'v1', kind: 'Event' };
    assert.deepEqual(onUpdate({ ownerReferences: [event] }), [at]);
    assert.deepEqual(
      onCreate({ ownerReferences: [{ ...event, apiVersion: 'events.cluster.io/v1' }] }),
      [],
    );
    const controllers = [owner, { ...owner, name: 'm' }, owner].map((o) => ({
      ...o,
      controller: true,
    }));
    const errors = validateObjectMeta({ ...base, ownerReferences: controllers }, namespaced);
    assert.deepEqual(causes(errors), [at]);
    assert.match(errors[0]?.detail ?? '', /references for K\/n and K\/m$/);
  });

  it('requires qualified finalizer names, and refuses both deletion finalizers together', () => {
    const at = 'FieldValueInvalid metadata.finalizers';
    assert.deepEqual(onCreate({ finalizers: ['not valid'] }), [at]);
    assert.deepEqual(onUpdate({ finalizers: ['not valid'] }), [at]);
    assert.deepEqual(onCreate({ finalizers: ['orphan', 'foregroundDeletion'] }), [at]);
    assert.deepEqual(onCreate({ finalizers: ['hold'] }), []);
    const strict = { ...namespaced, qualifiedFinalizers: true };
    const meta = { ...base, finalizers: ['cluster', 'a/b', 'hold'] };
    assert.deepEqual(causes(validateObjectMeta(meta, strict)), [`${at}[2]`]);
    assert.deepEqual(
      causes(validateObjectMetaUpdate(meta, base, FieldPath.of('metadata'), strict)),
      [`${at}[2]`],
    );
  });

  it('requires well-formed managed fields', () => {
    const at = 'metadata.managedFields[0]';
    const ok = { manager: 'm', operation: 'Update' } as const;
    const of = (entry: object): string[] => onCreate({ managedFields: [{ ...ok, ...entry }] });
    assert.deepEqual(of({ operation: 'Replace' }), [`FieldValueInvalid ${at}.operation`]);
    assert.deepEqual(onCreate({ managedFields: [{}] }), [`FieldValueInvalid ${at}.operation`]);
    assert.deepEqual(of({ fieldsType: 'FieldsV2' }), [`FieldValueInvalid ${at}.fieldsType`]);
    assert.deepEqual(of({ manager: 'm'.repeat(129) }), [`FieldValueTooLong ${at}.manager`]);
    assert.deepEqual(of({ manager: 'a\nb' }), [`FieldValueInvalid ${at}.manager`]);
    assert.deepEqual(of({ subresource: 's'.repeat(257) }), [`FieldValueTooLong ${at}.subresource`]);
  });

  it('reports errors under the path that the caller gives', () => {
    const path = FieldPath.of('spec', 'template', 'metadata');
    const errors = validateObjectMeta({ name: 'A', namespace: 'ns' }, { ...namespaced, path });
    assert.deepEqual(causes(errors), ['FieldValueInvalid spec.template.metadata.name']);
  });

  it('answers hostile metadata with a short error in bounded time', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => `bad key ${i}`);
    const map = Object.fromEntries(many.map((key) => [key, 'bad value']));
    const owners = many.map((name) => ({ ...owner, name, uid: '', controller: true }));
    const start = cpuMs();
    const errors = validateObjectMeta(
      {
        ...base,
        labels: map,
        annotations: map,
        finalizers: many,
        ownerReferences: owners,
        managedFields: many.map((manager) => ({ manager: `${manager}\n` })),
      },
      { ...namespaced, qualifiedFinalizers: true },
    );
    errors.map(fieldErrorText);
    assert.ok(cpuMs() - start < scaled(5000));
    assert.ok(errors.length < 200);
  });
});

describe('validateObjectMetaUpdate', () => {
  const full: ObjectMeta = {
    uid: 'u',
    creationTimestamp: '2024-01-02T03:04:05Z',
    deletionTimestamp: '2024-01-02T03:04:06Z',
    deletionGracePeriodSeconds: 0,
    generation: 3,
  };

  it('forbids changes of identity fields', () => {
    assert.deepEqual(onUpdate(full, full), []);
    const changes: ObjectMeta = {
      name: 'b',
      namespace: 'other',
      uid: 'v',
      creationTimestamp: '2024-01-02T03:04:06Z',
      deletionTimestamp: '2024-01-02T03:04:07Z',
      deletionGracePeriodSeconds: 5,
    };
    for (const [field, value] of Object.entries(changes)) {
      const expected = [`FieldValueInvalid metadata.${field}`];
      assert.deepEqual(onUpdate({ ...full, [field]: value as string }, full), expected);
    }
    assert.deepEqual(
      onUpdate({ deletionTimestamp: '2024-01-02T03:04:07Z', deletionGracePeriodSeconds: 5 }),
      [
        'FieldValueInvalid metadata.deletionTimestamp',
        'FieldValueInvalid metadata.deletionGracePeriodSeconds',
      ],
    );
    assert.deepEqual(onUpdate({ ...full, generation: 2 }, full), [
      'FieldValueInvalid metadata.generation',
    ]);
    assert.deepEqual(
      causes(validateObjectMetaUpdate({ name: 'a', namespace: '' }, { name: 'a' })),
      [],
    );
  });

  it('forbids new finalizers on an object that is being deleted', () => {
    const old: ObjectMeta = { ...full, finalizers: ['x/one', 'x/two'] };
    const update = (finalizers: string[]): FieldError[] =>
      validateObjectMetaUpdate({ ...base, ...full, finalizers }, { ...base, ...old });
    assert.deepEqual(update(['x/two', 'x/one']), []);
    assert.deepEqual(update(['x/one', 'x/one']), []);
    assert.deepEqual(update([]), []);
    const errors = update(['x/three', 'x/one', 'x/a']);
    assert.deepEqual(causes(errors), ['FieldValueForbidden metadata.finalizers']);
    assert.match(errors[0]?.detail ?? '', /found new finalizers \["x\/a","x\/three"\]$/);
    assert.deepEqual(onUpdate({ finalizers: ['x/new'] }), []);
    const forbidden = 'FieldValueForbidden metadata.finalizers';
    assert.ok(onUpdate({ finalizers: ['x/new'] }, old).includes(forbidden));
    assert.ok(!onUpdate({ ...full, finalizers: ['x/new'] }).includes(forbidden));
  });
});

describe('warnings about metadata', () => {
  it('name finalizers without a domain', () => {
    const warnings = finalizerWarnings({
      finalizers: ['hold', 'x/y', 'orphan', 'hold', 'cluster'],
    });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^metadata\.finalizers: "hold": prefer a domain-qualified/);
    assert.deepEqual(finalizerWarnings({ finalizers: ['hold'] }, { finalizers: ['hold'] }), []);
  });

  it('name repeated owner references', () => {
    const other = { ...owner, controller: true };
    const { references, duplicateUids } = dedupOwnerReferences([owner, other, { ...owner }]);
    assert.deepEqual(references, [owner, other]);
    assert.deepEqual(duplicateUids, ['u']);
    assert.deepEqual(dedupOwnerReferences([owner, other]).duplicateUids, []);
    assert.match(
      duplicateOwnersWarning(['u', 'v']),
      /entries; API server dedups .* observed: u, v$/,
    );
    assert.match(
      duplicateOwnersWarning(['u'], { afterAdmission: true }),
      /after mutating admission/,
    );
  });
});

describe('validateFieldManager', () => {
  it('requires at most 128 bytes of printable characters', () => {
    const path = FieldPath.of('fieldManager');
    assert.deepEqual(validateFieldManager('', path), []);
    assert.deepEqual(validateFieldManager('kubectl edit – ✓', path), []);
    assert.equal(validateFieldManager('ü'.repeat(65), path)[0]?.type, 'FieldValueTooLong');
    assert.equal(
      validateFieldManager('ü\u200b', path)[0]?.detail,
      'invalid character U+200B (at position 2)',
    );
    assert.equal(validateFieldManager('a\u00a0', path).length, 1);
  });
});
