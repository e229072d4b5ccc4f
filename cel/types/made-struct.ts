import type { CelType } from '../value/cel-type.ts';
import type { CelValue } from '../value/value.ts';
import { JsonStruct } from './json-struct.ts';

/** What an expression has made with `Name{field: value}`. */
export class MadeStruct extends JsonStruct {
  readonly made: CelType;
  readonly #fields: ReadonlyMap<string, CelValue>;

  constructor(made: CelType, fields: ReadonlyMap<string, CelValue>) {
    super();
    this.made = made;
    this.#fields = fields;
  }

  override get type(): CelType {
    return this.made;
  }

  get size(): number {
    return this.#fields.size;
  }

  field(name: string): CelValue | undefined {
    return this.#fields.get(name);
  }

  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }

  keys(): readonly CelValue[] {
    return [...this.#fields.keys()];
  }
}
