import { canonicalJson } from '../../api/json-write.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Conversion } from './versions.ts';

/** Thrown by a converter that cannot answer at once. Carries what has to be converted. */
class ConversionPending extends Error {
  override readonly name = 'ConversionPending';
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(object: JsonObject, apiVersion: string) {
    super(`a conversion to ${apiVersion} is needed`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/** Rounds of conversion for one request; each entry of another version needs at most a handful. */
const MAX_CONVERSIONS = 100;

/**
 * Runs a step that converts objects through something slow (a webhook). The
 * step itself stays pure: whenever it needs a conversion that
 * is not known yet, it is abandoned, the conversion is made, and it runs again
 * from the start with what is known by then.
 *
 * @throws what `convert` or `step` throw
 */
export async function withConversions<T>(
  convert: (object: JsonObject, apiVersion: string) => Promise<Conversion>,
  step: (convert: (object: JsonObject, apiVersion: string) => Conversion) => T | Promise<T>,
): Promise<T> {
  const known = new Map<string, Conversion>();
  const lookUp = (object: JsonObject, apiVersion: string): Conversion => {
    const conversion = known.get(keyOf(object, apiVersion));
    if (conversion === undefined) throw new ConversionPending(object, apiVersion);
    return conversion;
  };
  for (let i = 0; i < MAX_CONVERSIONS; i++) {
    try {
      return await step(lookUp);
    } catch (error) {
      if (!(error instanceof ConversionPending)) throw error;
      const { object, apiVersion } = error;
      known.set(keyOf(object, apiVersion), await convert(object, apiVersion));
    }
  }
  throw new Error(`more than ${MAX_CONVERSIONS} conversions for one request`);
}

function keyOf(object: JsonObject, apiVersion: string): string {
  return `${apiVersion} ${canonicalJson(object)}`;
}
