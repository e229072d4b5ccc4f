import { apiError, badRequest, type ApiError } from '../api/api-error.ts';
import { aliasGroup, MEDIA_TYPE } from '../api/naming.ts';
import type { StatusDetails } from '../api/status.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { META_GROUP } from '../registry/write-options.ts';
import type { ApiRequest } from '../http/message.ts';
import { acceptsType, parseAccept, type AcceptClause } from './accept-header.ts';
import { isWebSocketRequest } from './websocket/handshake.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

type ConversionKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** Another kind that objects are to be shown as. */
export interface Conversion {
  readonly kind: ConversionKind;
  /** `meta.cluster.io/v1`, or the spelling of Kubernetes when that was asked for. */
  readonly apiVersion: string;
}

/** The form of an answer, as the client wants it. */
export interface Representation {
  readonly format: Format;
  /** Indented for people to read. */
  readonly pretty: boolean;
  /** Undefined: as it is. */
  readonly conversion: Conversion | undefined;
}

/** For who has named nothing that can be served. */
const TEXT_FOR_PEOPLE: Representation = { format: 'json', pretty: true, conversion: undefined };
const NOT_ACCEPTABLE = 406;

/** What a client may ask for; Table and the metadata forms exist in both versions. */
const CONVERSION_KINDS: readonly string[] = [
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
];
const META_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
const META_GROUPS: readonly string[] = [META_GROUP, aliasGroup(META_GROUP)];

/** What everything can be shown as, in the order in which a wildcard finds them. */
const TEXTS: readonly Format[] = ['json', 'yaml'];
const WITH_PROTOBUF: readonly Format[] = [...TEXTS, 'protobuf'];
/** Types that mean something to this server, also those that it only reads. */
const SERVED = [MEDIA_TYPE.json, MEDIA_TYPE.yaml, MEDIA_TYPE.protobuf];

/**
 * The form of an answer that shows objects: the first clause of the Accept
 * header that can be served. Protobuf is for clients that accept nothing else
 * (behaviours 2.1, 2.3).
 *
 * @throws ApiError 406
 */
export function negotiateObjects(request: ApiRequest, resource: ServedResource): Representation {
  return (
    negotiated(request, true) ??
    negotiatedProtobuf(request, resource.definition.builtin) ??
    refuse(formatsOf(resource).map(mediaType), refusalDetails(request, resource))
  );
}

function formatsOf({ definition }: ServedResource): readonly Format[] {
  return definition.builtin ? WITH_PROTOBUF : TEXTS;
}

/**
 * Checks before a write that its answer can be shown in a form that the client
 * accepts: what {@link negotiateObjects} or a table would refuse after the write
 * is refused before it.
 *
 * @throws ApiError 406; 400 for a write whose table cannot be made as asked
 */
export function checkAcceptable(request: ApiRequest, resource: ServedResource): void {
  const { conversion } = negotiateObjects(request, resource);
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (conversion?.kind === 'Table') includeObjectOf(request);
  if (conversion?.kind === 'PartialObjectMetadataList') throw noList(resource);
}

/** 406: one object cannot be shown as a list. */
export function noList({ kind }: ServedResource): ApiError {
  return notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${kind.kind})`,
  );
}

/**
 * The kind that a client asks objects to be shown as. A delete that asks for
 * metadata gets that of the object, as long as there is one, instead of a Status.
 *
 * @throws ApiError 406
 */
export function askedConversion(
  request: ApiRequest,
  resource: ServedResource,
): ConversionKind | undefined {
  return negotiateObjects(request, resource).conversion?.kind;
}

/** Built-in kinds answer with empty details where the client names no type that is served at all. */
function refusalDetails(
  { headers }: ApiRequest,
  { definition }: ServedResource,
): StatusDetails | undefined {
  if (!definition.builtin) return undefined;
  const clauses = parseAccept(headers.accept ?? '');
  const namesOne = clauses.some((clause) => SERVED.some((type) => acceptsType(clause, type)));
  return namesOne ? undefined : {};
}

/**
 * The form of a document of discovery; protobuf is for clients that accept nothing else.
 *
 * @throws ApiError 406
 */
export function negotiateValue(request: ApiRequest): Representation {
  const protobuf = (): Representation | undefined => {
    const asked = negotiatedProtobuf(request, true);
    return asked?.conversion === undefined ? asked : undefined;
  };
  return negotiated(request, false) ?? protobuf() ?? refuse(WITH_PROTOBUF.map(mediaType));
}

/**
 * The form of the objects in a stream. YAML has no framing, so it is refused
 * even where the client would take JSON as well (behaviours 2.7). A message of a
 * WebSocket is text.
 *
 * @throws ApiError 406
 */
export function negotiateStream(request: ApiRequest, resource: ServedResource): Representation {
  const { builtin } = resource.definition;
  const isSocket = isWebSocketRequest(request);
  const representation =
    negotiated(request, true) ?? (isSocket ? undefined : negotiatedProtobuf(request, builtin));
  if (representation === undefined || representation.format === 'yaml') {
    const framed = formatsOf(resource).filter((format) => format !== 'yaml');
    return refuse(framed.map((format) => `${mediaType(format)};stream=watch`));
  }
  return { ...representation, pretty: false };
}

/** The form of a Status: what the client would have got, or JSON when that is impossible. */
export function negotiateStatus(request: ApiRequest, code: number): Representation {
  const isRefused = code === NOT_ACCEPTABLE;
  const asked =
    negotiated(request, code < 400) ?? (isRefused ? undefined : negotiatedProtobuf(request, true));
  return asked === undefined ? TEXT_FOR_PEOPLE : { ...asked, conversion: undefined };
}

/** The form of a value that has no message: as a Status, but never protobuf. */
export function negotiateText(request: ApiRequest): Representation {
  const asked = negotiated(request, true);
  return asked === undefined ? TEXT_FOR_PEOPLE : { ...asked, conversion: undefined };
}

function mediaType(format: Format): string {
  return MEDIA_TYPE[format];
}

function refuse(mediaTypes: readonly string[], details?: StatusDetails): never {
  const list = mediaTypes.join(', ');
  throw notAcceptable(`only the following media types are accepted: ${list}`, details);
}

/** The 406 of a request that accepts no form that the server has. */
export function notAcceptable(message: string, details?: StatusDetails): ApiError {
  return apiError(NOT_ACCEPTABLE, 'NotAcceptable', message, details);
}

function negotiated(request: ApiRequest, conversions: boolean): Representation | undefined {
  const { accept } = request.headers;
  if (accept === undefined || accept === '') {
    return { format: 'json', pretty: wantsPretty(request), conversion: undefined };
  }
  for (const clause of parseAccept(accept)) {
    for (const format of TEXTS) {
      if (!acceptsType(clause, MEDIA_TYPE[format])) continue;
      const conversion = conversionOf(clause);
      if (conversion === 'unknown' || (conversion !== undefined && !conversions)) continue;
      if (!streamIsKnown(clause)) continue;
      const pretty = clause.parameters.get('pretty') === '1' || wantsPretty(request);
      return { format, pretty, conversion };
    }
  }
  return undefined;
}

/** Objects that have a message (`whole`), and the metadata of all; a table has none. */
function negotiatedProtobuf({ headers }: ApiRequest, whole: boolean): Representation | undefined {
  for (const clause of parseAccept(headers.accept ?? '')) {
    if (!acceptsType(clause, MEDIA_TYPE.protobuf) || !streamIsKnown(clause)) continue;
    const conversion = conversionOf(clause);
    if (conversion === 'unknown' || conversion?.kind === 'Table') continue;
    if (conversion === undefined && !whole) continue;
    return { format: 'protobuf', pretty: false, conversion };
  }
  return undefined;
}

function conversionOf({ parameters }: AcceptClause): Conversion | undefined | 'unknown' {
  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  const isKnown =
    CONVERSION_KINDS.includes(kind ?? '') &&
    META_GROUPS.includes(group ?? '') &&
    META_VERSIONS.includes(version ?? '');
  if (!isKnown) return 'unknown';
  return { kind: kind as ConversionKind, apiVersion: `${group ?? ''}/${version ?? ''}` };
}

function streamIsKnown({ parameters }: AcceptClause): boolean {
  const stream = parameters.get('stream') ?? '';
  return stream === '' || stream === 'watch';
}

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];
/** Programs that people read the answers of. */
const HUMAN_CLIENT = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Behaviours 2.6: what the query says, or else who asks. */
function wantsPretty({ query, headers }: ApiRequest): boolean {
  const pretty = query.get('pretty') ?? '';
  if (pretty !== '') return TRUE.includes(pretty);
  return HUMAN_CLIENT.test(headers['user-agent'] ?? '');
}

/** `Brief`: the metadata without its managed fields. */
export type IncludeObject = 'None' | 'Brief' | 'Metadata' | 'Object';

/**
 * What the rows of a table carry in addition to their cells.
 *
 * @throws ApiError 400
 */
export function includeObjectOf({ query }: ApiRequest): IncludeObject {
  const text = query.get('includeObject') ?? '';
  switch (text) {
    case '':
    case 'Metadata':
      return query.get('managedFields') === 'omit' ? 'Brief' : 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}
