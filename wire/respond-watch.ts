import { MEDIA_TYPE } from '../api/naming.ts';
import type { AcceptedWatch } from '../registry/watch.ts';
import type { Projection } from '../registry/projection.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource, Target } from '../registry/served-resource.ts';
import type { Encoder } from '../watch/frames.ts';
import type { ApiResponse, PushedBody } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { LINES, MESSAGES } from './event-framing.ts';
import { includeObjectOf, negotiateStream, noList } from './negotiate.ts';
import { isWebSocketRequest } from './websocket/handshake.ts';
import { webSocketAnswer } from './websocket/websocket-body.ts';
import { ObjectEncoder, partialEncoder, projectedEncoder, TableEncoder } from './watch-encoder.ts';

/**
 * A stream of changes in the form that the client accepts: JSON, one event to a
 * line, or protobuf behind its length. It begins when the body is started.
 *
 * @throws ApiError 406, 400 for tables that cannot be made as asked
 */
export function respondWatch(
  exchange: Exchange,
  parts: RegistryParts,
  { resource }: Target,
  accepted: AcceptedWatch,
  projection?: Projection,
): ApiResponse {
  const encoder = encoderFor(exchange, parts, resource, projection);
  const body: PushedBody = {
    start(sink) {
      const subscription = accepted.open(encoder, sink, () => undefined);
      return {
        resume: () => subscription.resume(),
        close: () => subscription.close(),
        fail: (error) => subscription.closeWithError(error),
      };
    },
  };
  if (isWebSocketRequest(exchange.request)) return webSocketAnswer(exchange.request, body);
  const { format } = negotiateStream(exchange.request, resource);
  const type = format === 'protobuf' ? `${MEDIA_TYPE.protobuf};stream=watch` : MEDIA_TYPE.json;
  return { status: 200, headers: { 'content-type': type }, body };
}

function encoderFor(
  { request }: Exchange,
  { views, clock }: RegistryParts,
  resource: ServedResource,
  projection: Projection | undefined,
): Encoder {
  const { conversion, format } = negotiateStream(request, resource);
  const framing = format === 'protobuf' ? MESSAGES : LINES;
  switch (conversion?.kind) {
    case undefined:
      return projection === undefined
        ? new ObjectEncoder(resource, views, framing)
        : projectedEncoder(resource, views, projection, framing);
    case 'PartialObjectMetadata':
      return partialEncoder(resource, views, conversion, { projection, framing });
    case 'Table': {
      const include = includeObjectOf(request);
      return new TableEncoder(resource, views, { conversion, include, clock });
    }
    case 'PartialObjectMetadataList':
      throw noList(resource);
  }
}
