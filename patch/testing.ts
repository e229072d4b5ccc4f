import assert from 'node:assert/strict';
import { deepClone, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import { schemaFromJson } from '../schema/from-json.ts';
import { atOnce } from '../api/steps.ts';
import { applySteps, type ApplyOutcome } from './apply/apply-configuration.ts';
import { applyConfiguration } from './apply/apply-configuration-at-once.ts';
import { entriesOf } from './apply/managers.ts';
import { plainManagers } from './apply/plain-managers.ts';
import { updateSteps } from './apply/update-managers.ts';
import { updateManagers } from './apply/update-managers-at-once.ts';
import type { ManagedKind } from './apply/versions.ts';
import { parseJsonPatch } from './json-patch-parse.ts';
import { jsonPatchSteps, type JsonPatchOptions } from './json-patch.ts';
import { applyJsonPatch } from './json-patch-at-once.ts';
import { mergeSchemaOf } from './merge-schema-of.ts';
import type { MergeSchema } from './merge-schema.ts';

/** Helpers of this room's tests: objects of a custom resource that live in a variable. */
export const GROUP = 'example.com';
export const V1 = `${GROUP}/v1`;

export function mergeSchema(spec: JsonObject, more: JsonObject = {}): MergeSchema {
  return mergeSchemaOf(
    schemaFromJson({ type: 'object', properties: { spec: { type: 'object', ...spec }, ...more } }),
  );
}

/** A kind with one schema per version; `None` conversion, as a CRD without a webhook. */
export function testKind(
  schemas: MergeSchema | Record<string, MergeSchema>,
  overrides: Partial<ManagedKind> = {},
): ManagedKind {
  const versions = new Map<string, MergeSchema>(
    'map' in schemas
      ? [[V1, schemas]]
      : Object.entries(schemas).map(([version, s]) => [`${GROUP}/${version}`, s as MergeSchema]),
  );
  const apiVersion = overrides.apiVersion ?? V1;
  return {
    apiVersion,
    kind: 'App',
    subresource: '',
    schemaFor: (version) => versions.get(version),
    convert: (object, version) =>
      versions.has(version)
        ? { kind: 'converted', object: { ...object, apiVersion: version } }
        : { kind: 'failed', message: `no version ${version}` },
    empty: { apiVersion, kind: 'App', metadata: {} },
    resetFields: new Map(),
    ...overrides,
  };
}

interface Write {
  force?: boolean;
  kind?: ManagedKind;
}

/** One object with its managed fields, and a clock that the test sets. */
export class ManagedObject {
  kind: ManagedKind;
  object: JsonObject | undefined;
  now = Date.UTC(2026, 0, 1);

  constructor(kind: ManagedKind) {
    this.kind = kind;
  }

  get entries(): ManagedFieldsEntry[] {
    return ((this.object && entriesOf(this.object)) ?? []) as unknown as ManagedFieldsEntry[];
  }

  get spec(): unknown {
    return this.object?.['spec'];
  }

  /** `manager operation [subresource]` → fieldsV1. */
  get owners(): Record<string, unknown> {
    return Object.fromEntries(
      this.entries.map((e) => [
        [e.manager, e.operation, e.subresource].filter(Boolean).join(' '),
        e.fieldsV1,
      ]),
    );
  }

  tryApply(
    manager: string,
    applied: JsonObject,
    { force = false, kind = this.kind }: Write = {},
  ): ApplyOutcome {
    const apply = {
      kind,
      live: this.#live(kind),
      applied: {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: { name: 'a' },
        ...applied,
      },
      manager,
      force,
      now: this.now,
    };
    const outcome = applyConfiguration(apply);
    assert.deepEqual(atOnce(applySteps(apply)), outcome);
    if (outcome.ok) this.#store(outcome.object, outcome.managedFields);
    return outcome;
  }

  /** An apply that must succeed. */
  apply(manager: string, applied: JsonObject, options: Write = {}): this {
    const outcome = this.tryApply(manager, applied, options);
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message);
    return this;
  }

  /** The paths that an apply is in conflict about; the object stays as it is. */
  conflicts(manager: string, applied: JsonObject, options: Write = {}): string[] {
    const before = this.object;
    const outcome = this.tryApply(manager, applied, options);
    this.object = before;
    if (outcome.ok) return [];
    assert.equal(outcome.error.code, 409, outcome.error.message);
    return (outcome.error.status.details?.causes ?? []).map(({ field }) => field ?? '');
  }

  update(
    manager: string,
    change: (object: JsonObject) => void,
    { kind = this.kind }: Write = {},
  ): this {
    const live = this.#live(kind);
    const next = deepClone(
      live ?? { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'a' } },
    );
    change(next);
    const write = { kind, live, next, manager, now: this.now };
    const entries = updateManagers(write);
    assert.deepEqual(atOnce(updateSteps(write)), entries);
    assert.deepEqual(plainManagers(write) ?? entries, entries);
    this.#store(next, entries);
    return this;
  }

  #live(kind: ManagedKind): JsonObject | undefined {
    return this.object && { ...this.object, apiVersion: kind.apiVersion };
  }

  #store(object: JsonObject, entries: ManagedFieldsEntry[]): void {
    const { managedFields: _old, ...metadata } = isObject(object['metadata'])
      ? object['metadata']
      : {};
    this.object = {
      ...object,
      metadata:
        entries.length === 0
          ? metadata
          : { ...metadata, managedFields: entries as unknown as JsonObject[] },
    };
  }
}

export const members = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name === '.' ? name : `f:${name}`, {}]));

/** The document after a JSON patch, undefined when it was refused with 422. */
export function patched(
  document: JsonValue,
  patch: JsonValue,
  options: JsonPatchOptions = {},
): JsonValue | undefined {
  const parsed = parseJsonPatch(JSON.stringify(patch), options);
  assert.ok(parsed.ok);
  const outcome = applyJsonPatch(document, parsed.operations, options);
  assert.deepEqual(atOnce(jsonPatchSteps(document, parsed.operations, options)), outcome);
  if (outcome.ok) return outcome.value;
  assert.equal(outcome.error.code, 422);
  assert.equal(outcome.error.reason, 'Invalid');
  return undefined;
}
