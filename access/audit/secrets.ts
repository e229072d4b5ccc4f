import type { RequestInfo } from '../../http/request-info.ts';

/** Reviews carry tokens, and so do answers to requests for one: of these there is only metadata. */
const SECRET_RESOURCES: ReadonlySet<string> = new Set(['tokenreviews', 'tokenrequests']);
/** Values of parameters with such words in their names are credentials, wherever a client puts them. */
const SECRET_PARAMETERS =
  /([?&][^=&]*(?:token|passw|secret|authorization|credential|assertion|api[_-]?key)[^=&]*=)[^&]*/gi;
/** So is what follows this word, under whatever name, or none. */
const BEARER = /(bearer(?:\+|%20|%09|=)+)[^&]+/gi;
const REDACTED = 'REDACTED';

/** Are bodies of such requests, and what is said of them, credentials themselves? */
export function isAboutSecrets({ resource, subresource }: RequestInfo): boolean {
  return SECRET_RESOURCES.has(resource) || subresource === 'token';
}

/** The path and query of a request without credentials in its parameters. */
export function uriWithoutSecrets(uri: string): string {
  if (!uri.includes('?')) return uri;
  return uri.replace(SECRET_PARAMETERS, `$1${REDACTED}`).replace(BEARER, `$1${REDACTED}`);
}
