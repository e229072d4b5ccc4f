import { apiError, type ApiError } from '../../api/api-error.ts';
import { kubernetesGroup, MEDIA_TYPE } from '../../api/naming.ts';
import { parseAccept, rangeMatches, type MediaRange } from './accept.ts';

export interface DiscoveryFormat {
  readonly syntax: 'json' | 'yaml';
  /** `apidiscovery…/v2` in the spelling that the client asked for; undefined for the plain documents. */
  readonly aggregated: string | undefined;
  readonly contentType: string;
}

const GROUP = 'apidiscovery.cluster.io';
const VERSION = 'v2';
const KIND = 'APIGroupDiscoveryList';

/**
 * What to answer an Accept header with. Aggregated discovery is one kind in one
 * version under two group names; other parameters (`profile=nopeer`) ask for
 * nothing that differs here.
 *
 * @throws ApiError 406
 */
export function chooseFormat(
  accept: string | undefined,
  options: { readonly aggregated: boolean },
): DiscoveryFormat {
  for (const range of parseAccept(accept)) {
    const syntax = syntaxOf(range);
    if (syntax === undefined) continue;
    const type = MEDIA_TYPE[syntax];
    const as = range.parameters.get('as');
    if (as === undefined) return { syntax, aggregated: undefined, contentType: type };
    const group = range.parameters.get('g') ?? '';
    const isKnown =
      as === KIND &&
      range.parameters.get('v') === VERSION &&
      (group === GROUP || group === kubernetesGroup(GROUP));
    if (!options.aggregated || !isKnown) continue;
    return {
      syntax,
      aggregated: `${group}/${VERSION}`,
      contentType: `${type};g=${group};v=${VERSION};as=${KIND}`,
    };
  }
  throw notAcceptable();
}

function syntaxOf(range: MediaRange): 'json' | 'yaml' | undefined {
  if (rangeMatches(range, MEDIA_TYPE.json)) return 'json';
  return rangeMatches(range, MEDIA_TYPE.yaml) ? 'yaml' : undefined;
}

function notAcceptable(): ApiError {
  return apiError(
    406,
    'NotAcceptable',
    `only the following media types are accepted: ${MEDIA_TYPE.json}, ${MEDIA_TYPE.yaml}`,
  );
}
