import { constantEstimate, walkEstimate } from '../cost/estimators.ts';
import { declareFunction, globalOverload, memberOverload } from '../types/declaration.ts';
import { BOOL, listType, mapType, STRING, structType, type Typed } from '../value/type.ts';
import { ArrayList } from '../value/list.ts';
import { mapOfStrings } from '../value/map.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { CelError, CelObject, type CelValue } from '../value/value.ts';
import type { FunctionDeclaration } from '../types/declaration.ts';
import type { Library } from './library.ts';
import {
  hostName,
  hostPort,
  parseRequestUri,
  parseUrl,
  queryParameters,
  UrlError,
  type UrlParts,
} from './url-parse.ts';

const URL_TYPE: Typed<CelUrl> = structType('kubernetes.URL');

class CelUrl extends CelObject {
  override readonly type = URL_TYPE;
  readonly parts: UrlParts;

  constructor(parts: UrlParts) {
    super();
    this.parts = parts;
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelUrl && JSON.stringify(this.parts) === JSON.stringify(other.parts);
  }
}

function fromString(text: string): CelValue {
  try {
    parseRequestUri(text);
    return new CelUrl(parseUrl(text));
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    const quoted = JSON.stringify(text);
    return new CelError(
      `URL parse error during conversion from string: parse ${quoted}: ${error.message}`,
    );
  }
}

function isUrl(text: string): boolean {
  try {
    parseRequestUri(text);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

function query(url: CelUrl): CelValue {
  const values = new Map<string, string[]>();
  for (const [key, value] of queryParameters(url.parts)) {
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return mapOfStrings(Array.from(values, ([key, list]) => [key, new ArrayList(list)]));
}

function part(name: string, id: string, get: (parts: UrlParts) => string): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(id, [URL_TYPE], STRING, ({ parts }) => get(parts), {
      estimate: constantEstimate,
    }),
  );
}

const walk = { cost: (text: string): number => walkCost(sizeOf(text)) };

/** URLs and their parts. */
export const URLS_LIBRARY: Library = {
  functions: [
    declareFunction(
      'url',
      globalOverload('string_to_url', [STRING], URL_TYPE, fromString, {
        ...walk,
        estimate: walkEstimate(1, true),
      }),
    ),
    declareFunction('isURL', globalOverload('is_url_string', [STRING], BOOL, isUrl)),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', hostName),
    part('getPort', 'url_get_port', hostPort),
    part('getEscapedPath', 'url_get_escaped_path', ({ escapedPath }) => escapedPath),
    declareFunction(
      'getQuery',
      memberOverload('url_get_query', [URL_TYPE], mapType(STRING, listType(STRING)), query, {
        estimate: constantEstimate,
      }),
    ),
  ],
};
