import { apiError, type ApiError } from '../api/api-error.ts';
import { BoundedCache } from '../api/bounded-cache.ts';

/** One parameter of a media type: a name, and a word or a quoted text. */
const PARAMETER = /^\s*[^\s"=;]+=(?:[^\s"=;]+|"[^"]*")\s*$/;
const MEDIA_TYPE_NAME = /^[!#$%&'*+.^_`|~\w-]+(?:\/[!#$%&'*+.^_`|~\w-]+)?$/;

/**
 * The media type that a Content-Type header names, in lower case; undefined
 * when it is malformed. Parameters such as a charset are let pass.
 */
export function mediaTypeOf(header: string): string | undefined {
  return read.get(header, readMediaType);
}

/** Headers whose type is remembered: clients send few, and to read one takes 0.7 µs. */
const MAX_KEPT = 100;
const MAX_KEPT_HEADER = 128;
const read = new BoundedCache<string | undefined>(MAX_KEPT, (_, { length }) =>
  length > MAX_KEPT_HEADER ? Infinity : 1,
);

function readMediaType(header: string): string | undefined {
  const [name = '', ...parameters] = header.split(';');
  const mediaType = name.trim().toLowerCase();
  if (!MEDIA_TYPE_NAME.test(mediaType)) return undefined;
  const sound = parameters.every((text, i) =>
    text.trim() === '' ? i === parameters.length - 1 : PARAMETER.test(text),
  );
  return sound ? mediaType : undefined;
}

/** A body in a form that is not read here. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return apiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}
