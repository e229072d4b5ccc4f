import { CelMap, type CelValue } from '../value/value.ts';

/** A JSON object whose schema declares its fields. */
export abstract class JsonStruct extends CelMap {
  /** A field by its name in expressions; undefined when it is absent, null or not accessible. */
  abstract field(name: string): CelValue | undefined;
}
