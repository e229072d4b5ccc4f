import { apiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import { documentResponse, hashOf, keptDocument, unchangedResponse } from '../document.ts';
import type { ApiRequest, ApiResponse } from '../../http/message.ts';
import { acceptsType, parseAccept } from '../../wire/accept-header.ts';
import { notAcceptable } from '../../wire/negotiate.ts';
import { DocumentCache } from './document-cache.ts';
import { documentV2Json, documentV2Protobuf } from './document-v2.ts';
import type { OpenApiV3 } from './openapi-v3.ts';
import { pauses } from './pauses.ts';
import type { PublishedVersion } from './published-versions.ts';

const PATH = '/openapi/v2';

type Versions = ReadonlyMap<string, PublishedVersion>;

interface Form {
  /** What clients write in Accept, in any of its spellings. */
  readonly asked: readonly string[];
  readonly contentType: string;
  readonly make: typeof documentV2Json;
  readonly documents: DocumentCache<Versions>;
}

/** The spelling with an at sign is not a valid media type; answers carry this one. */
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * `/openapi/v2`: everything in one document, for clients from before OpenAPI 3.
 * It grows with every CRD, so it is made only when it is asked for, and clients
 * that have it are told so by its tag alone. Source: behaviours 1.10.
 */
export class OpenApiV2 {
  readonly #v3: OpenApiV3;
  readonly #clock: Clock;
  /** In the order in which a wildcard finds them. */
  readonly #forms: readonly Form[] = [
    {
      asked: [MEDIA_TYPE.json],
      contentType: MEDIA_TYPE.json,
      make: documentV2Json,
      documents: new DocumentCache(),
    },
    {
      asked: [PROTOBUF, MEDIA_TYPE.openApiV2Protobuf],
      contentType: PROTOBUF,
      make: documentV2Protobuf,
      documents: new DocumentCache(),
    },
  ];

  constructor(options: { readonly v3: OpenApiV3; readonly clock: Clock }) {
    this.#v3 = options.v3;
    this.#clock = options.clock;
  }

  paths(): string[] {
    return [PATH];
  }

  /**
   * Answers the document; undefined for other paths.
   *
   * @throws ApiError 405, 406
   */
  handle(request: ApiRequest): Promise<ApiResponse> | undefined {
    if (request.rawPath !== PATH && request.rawPath !== `${PATH}/`) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw apiError(405, 'MethodNotAllowed', 'schemas can only be read', {});
    }
    return this.#answer(request, this.#choose(request));
  }

  #choose({ headers: { accept = '' } }: ApiRequest): Form {
    for (const clause of parseAccept(accept === '' ? '*/*' : accept)) {
      const form = this.#forms.find(({ asked }) => asked.some((type) => acceptsType(clause, type)));
      if (form !== undefined) return form;
    }
    const types = this.#forms.map(({ contentType }) => contentType);
    throw notAcceptable(`only the following media types are accepted: ${types.join(', ')}`);
  }

  async #answer(request: ApiRequest, form: Form): Promise<ApiResponse> {
    const versions = this.#v3.versions();
    const hash = await this.#hash(versions);
    const headers = { vary: 'Accept' };
    const unchanged = unchangedResponse(request, hash, headers);
    if (unchanged !== undefined) return unchanged;
    const kept = await form.documents.get(versions, async () => {
      const parts = { versions: [...versions.values()], remote: this.#v3.remoteV2() };
      return keptDocument(await form.make(parts, pauses(this.#clock)));
    });
    const { contentType } = form;
    return documentResponse(request, { contentType, ...kept }, { etag: `"${hash}"`, ...headers });
  }

  /** Of what the parts are, without making the whole. Both forms share it: Vary tells them apart. */
  async #hash(versions: Versions): Promise<string> {
    const hashes: string[] = [];
    for (const version of versions.values()) hashes.push(await this.#v3.hash(version));
    for (const { hash } of this.#v3.remoteV2()) hashes.push(hash);
    return hashOf(hashes.join(' '));
  }
}
