import { aliasGroup, MEDIA_TYPE } from '../api/naming.ts';
import type { ApiRequest } from '../http/message.ts';
import { acceptsType, parseAccept, type AcceptClause } from '../wire/accept-header.ts';
import { negotiateValue, notAcceptable, type Format } from '../wire/negotiate.ts';

export interface DiscoveryFormat {
  readonly format: Format;
  /** Indented for people to read; never the aggregated form, which only programs ask for. */
  readonly pretty: boolean;
  /** `apidiscovery…/v2` in the spelling that the client asked for; undefined for the plain documents. */
  readonly aggregated: string | undefined;
  readonly contentType: string;
}

const GROUP = 'apidiscovery.cluster.io';
const VERSION = 'v2';
const KIND = 'APIGroupDiscoveryList';
const FORMATS: readonly Format[] = ['json', 'yaml'];

/**
 * The form of a document that exists in the plain and the aggregated form.
 * Aggregated discovery is one kind in one version under two group names; other
 * parameters (`profile=nopeer`) ask for nothing that differs here.
 *
 * @throws ApiError 406
 */
export function chooseEitherFormat(request: ApiRequest): DiscoveryFormat {
  const { accept = '' } = request.headers;
  for (const clause of parseAccept(accept === '' ? '*/*' : accept)) {
    const format = FORMATS.find((f) => acceptsType(clause, MEDIA_TYPE[f]));
    if (format === undefined) continue;
    if (!['as', 'g', 'v'].some((name) => clause.parameters.has(name))) {
      return choosePlainFormat(request);
    }
    const group = aggregatedGroup(clause);
    if (group === undefined) continue;
    return {
      format,
      pretty: false,
      aggregated: `${group}/${VERSION}`,
      contentType: `${MEDIA_TYPE[format]};g=${group};v=${VERSION};as=${KIND}`,
    };
  }
  throw notAcceptable(
    `only the following media types are accepted: ${FORMATS.map((f) => MEDIA_TYPE[f]).join(', ')}`,
  );
}

/**
 * The form of a document that exists in the plain form alone.
 *
 * @throws ApiError 406
 */
export function choosePlainFormat(request: ApiRequest): DiscoveryFormat {
  const { format, pretty } = negotiateValue(request);
  return { format, pretty, aggregated: undefined, contentType: MEDIA_TYPE[format] };
}

function aggregatedGroup({ parameters }: AcceptClause): string | undefined {
  const group = parameters.get('g');
  const isKnown =
    parameters.get('as') === KIND &&
    parameters.get('v') === VERSION &&
    (group === GROUP || group === aliasGroup(GROUP));
  return isKnown ? group : undefined;
}
