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
/** In the order in which a wildcard finds them. */
const TEXTS: readonly Format[] = ['json', 'yaml'];
/** For clients that accept nothing else. */
const PROTOBUF: readonly Format[] = ['protobuf'];

/**
 * The form of a document that exists in the plain and the aggregated form.
 * Aggregated discovery is one kind in one version under two group names; other
 * parameters (`profile=nopeer`) ask for nothing that differs here.
 *
 * @throws ApiError 406
 */
export function chooseEitherFormat(request: ApiRequest): DiscoveryFormat {
  const { accept = '' } = request.headers;
  const clauses = parseAccept(accept === '' ? '*/*' : accept);
  for (const formats of [TEXTS, PROTOBUF]) {
    for (const clause of clauses) {
      const format = formats.find((f) => acceptsType(clause, MEDIA_TYPE[f]));
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
  }
  const types = [...TEXTS, ...PROTOBUF].map((format) => MEDIA_TYPE[format]);
  throw notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
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
