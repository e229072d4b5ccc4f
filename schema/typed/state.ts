import type { JsonValue } from '../../api/json.ts';

/** At most this many unknown fields are named; the rest would only repeat the point. */
export const MAX_REPORTED_UNKNOWN = 100;

/** The kinds of steps on the way down; only fields of structs appear in Go's errors. */
export const STEP = { field: 0, key: 1, index: 2 } as const;
type StepKind = (typeof STEP)[keyof typeof STEP];

/**
 * What one decoding run has found, and where it is. Decoding goes on after an
 * error, as Go's does: the first error is the one that counts.
 */
export class DecodeState {
  error: string | undefined;
  /** The struct whose fields are being decoded, as errors name it. */
  struct = '';
  readonly unknown: string[] = [];
  readonly #steps: (string | number)[] = [];
  readonly #kinds: StepKind[] = [];
  readonly #root: string;

  /** `root` goes before every path of an unknown field (`metadata`, `spec.template.metadata`). */
  constructor(root: string) {
    this.#root = root;
  }

  push(step: string | number, kind: StepKind): void {
    this.#steps.push(step);
    this.#kinds.push(kind);
  }

  pop(): void {
    this.#steps.pop();
    this.#kinds.pop();
  }

  reportUnknown(name: string): void {
    if (this.unknown.length >= MAX_REPORTED_UNKNOWN) return;
    const parent = this.#path();
    this.unknown.push(parent === '' ? name : `${parent}.${name}`);
  }

  /** The JSON type does not fit. Wording: encoding/json, UnmarshalTypeError. */
  typeError(value: JsonValue, goType: string, literal = false): void {
    this.fail(`json: cannot unmarshal ${described(value, literal)} into ${this.#place()}${goType}`);
  }

  fail(message: string): void {
    this.error ??= message;
  }

  /** `Go struct field LeaseSpec.spec.renewTime of type `: names of fields only, as Go counts them. */
  #place(): string {
    const fields = this.#steps.filter((_, i) => this.#kinds[i] === STEP.field);
    return fields.length === 0
      ? 'Go value of type '
      : `Go struct field ${this.struct}.${fields.join('.')} of type `;
  }

  #path(): string {
    let path = this.#root;
    for (const [i, step] of this.#steps.entries()) {
      if (this.#kinds[i] === STEP.index) path += `[${step}]`;
      else path = path === '' ? String(step) : `${path}.${step}`;
    }
    return path;
  }
}

function described(value: JsonValue, literal: boolean): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return literal ? `number ${value}` : 'number';
    default:
      return typeof value;
  }
}
