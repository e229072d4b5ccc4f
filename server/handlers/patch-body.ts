import { isUtf8 } from 'node:buffer';
import { apiError, badRequest } from '../../api/api-error.ts';
import { isBuiltinGroup } from '../../api/naming.ts';
import {
  APPLY_PATCH,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_MERGE_PATCH,
  validatePatchOptions,
} from '../../patch/patch-options.ts';
import type { FieldError } from '../../api/field-error.ts';
import type { Body } from '../../registry/body.ts';
import type { Patch } from '../../registry/patch.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { ApiRequest } from '../../http/message.ts';
import { duplicateKeys, turnFor } from '../../wire/decode-body.ts';
import { parseLargeYaml } from '../../yaml/large.ts';
import { YamlSyntaxError } from '../../yaml/source.ts';

const BUILTIN_TYPES = [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH];
/** Strategic merge needs merge keys that clients know only of the kinds of Kubernetes. */
const CUSTOM_TYPES = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH];

/**
 * The media type of a patch; checked before anything else of the request
 * (behaviours 5.6). Unlike those of objects it counts by the letter.
 *
 * @throws ApiError 415 with the types that are taken
 */
export function patchMediaType({ headers }: ApiRequest, { definition }: ServedResource): string {
  const isKnown = definition.builtin || isBuiltinGroup(definition.custom?.group ?? '');
  const types = isKnown ? BUILTIN_TYPES : CUSTOM_TYPES;
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  if (types.includes(mediaType.trim())) return mediaType.trim();
  throw apiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
    definition.builtin ? {} : undefined,
  );
}

/** What is wrong with the options that only patches have. */
export function patchOptionErrors({ query }: ApiRequest, mediaType: string): FieldError[] {
  return validatePatchOptions(
    {
      fieldManager: query.get('fieldManager') ?? undefined,
      force: query.get('force') ?? undefined,
    },
    mediaType,
  );
}

/** @throws ApiError 400, 413 beyond `maxBytes` */
export async function decodePatch(
  request: ApiRequest,
  mediaType: string,
  maxBytes: number,
): Promise<Patch> {
  const bytes = await request.body(maxBytes);
  const turn = turnFor(bytes);
  if (turn !== undefined) await turn;
  if (!isUtf8(bytes)) throw badRequest('error decoding patch: the text is not valid UTF-8');
  const text = bytes.toString('utf8');
  switch (mediaType) {
    case JSON_PATCH:
      return { type: 'json', text };
    case MERGE_PATCH:
      return { type: 'merge', text };
    case STRATEGIC_MERGE_PATCH:
      return { type: 'strategic', text };
    default:
      return { type: 'apply', body: await applyBody(text) };
  }
}

/** YAML, of which JSON is a part. */
async function applyBody(text: string): Promise<Body> {
  try {
    const { value, duplicates } = await parseLargeYaml(text);
    return { value, duplicates: duplicateKeys(duplicates) };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw badRequest(`error decoding YAML: ${error.message}`, error);
  }
}
