import type { RequestInfo } from '../../http/request-info.ts';

/** Reviews carry tokens, and so do answers to requests for one: of these there is only metadata. */
const SECRET_RESOURCES: ReadonlySet<string> = new Set(['tokenreviews', 'tokenrequests']);
/** Values of parameters with such words in their names are credentials, wherever a client puts them. */
const SECRET_NAME = /token|passw|secret|authorization|credential|assertion|api[_-]?key/i;
/** So is what follows this word, under whatever name, or none. */
const BEARER = /(bearer(?:\+|%20|%09|=)+)[^&]+/gi;
const BEARER_INSIDE = /bearer(?:\s|\+|%20|%09|=)+\S/i;
const REDACTED = 'REDACTED';
/** What has none of these words has no credentials: most is told apart by one look at all of it. */
const SECRET_WORD = new RegExp(`bearer|${SECRET_NAME.source}`, 'i');

/** Are bodies of such requests, and what is said of them, credentials themselves? */
export function isAboutSecrets({ resource, subresource }: RequestInfo): boolean {
  return SECRET_RESOURCES.has(resource) || subresource === 'token';
}

/** The path and query of a request without credentials in its parameters. */
export function uriWithoutSecrets(uri: string): string {
  const mark = uri.indexOf('?');
  if (mark < 0) return uri;
  const query = uri.slice(mark + 1);
  if (!hasSecretWord(query)) return uri;
  const parameters = query.split('&');
  return `${uri.slice(0, mark)}?${parameters.map(withoutSecret).join('&')}`;
}

/** One parameter, as it stands in the query. */
function withoutSecret(sent: string): string {
  if (!hasSecretWord(sent)) return sent;
  // A name may follow the word, too.
  const text = sent.replace(BEARER, `$1${REDACTED}`);
  const cut = text.indexOf('=');
  const [name, value] = cut < 0 ? ['', text] : [text.slice(0, cut + 1), text.slice(cut + 1)];
  if (SECRET_NAME.test(decoded(name))) return `${name}${REDACTED}`;
  const inside = decoded(value);
  const isSecret = hasSecretInside(inside) || (text === sent && BEARER_INSIDE.test(inside));
  return isSecret ? `${name}${REDACTED}` : text;
}

/**
 * Parameters inside a value, as the questions of a snapshot have them: a name that follows
 * `?` or `&`, up to its `=`. Looks at each character a bounded number of times, which one
 * pattern for all of it does not: clients without credentials send tens of kilobytes.
 */
function hasSecretInside(text: string): boolean {
  return text.split('&').some((part, i) =>
    part
      .split('=')
      .slice(0, -1)
      .some((name, j) => {
        const begin = i > 0 && j === 0 ? 0 : name.indexOf('?');
        return begin >= 0 && SECRET_NAME.test(name.slice(begin));
      }),
  );
}

/** True, too, where not all can be decoded: a part of it may be. */
function hasSecretWord(text: string): boolean {
  if (SECRET_WORD.test(text)) return true;
  try {
    return SECRET_WORD.test(decodeURIComponent(text));
  } catch {
    return true;
  }
}

/** What a percent-encoded text says; the text itself where it is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
