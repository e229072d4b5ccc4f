import { MEDIA_TYPE } from '../api/naming.ts';
import type { AcceptedWatch } from '../registry/watch.ts';
import type { Projection } from '../registry/projection.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource, Target } from '../registry/served-resource.ts';
import type { Encoder } from '../watch/frames.ts';
import type { ApiResponse, PushedBody } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { includeObjectOf, negotiateStream, noList } from './negotiate.ts';
import { isWebSocketRequest } from './websocket/handshake.ts';
import { webSocketAnswer } from './websocket/websocket-body.ts';
import { JsonEncoder, partialEncoder, projectedEncoder, TableEncoder } from './watch-encoder.ts';

/**
 * A stream of changes in the form that the client accepts: JSON, one event to a
 * line. It begins when the body is started.
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
  return { status: 200, headers: { 'content-type': MEDIA_TYPE.json }, body };
}

function encoderFor(
  { request }: Exchange,
  { views, clock }: RegistryParts,
  resource: ServedResource,
  projection: Projection | undefined,
): Encoder {
  const { conversion } = negotiateStream(request);
  switch (conversion?.kind) {
    case undefined:
      return projection === undefined
        ? new JsonEncoder(resource, views)
        : projectedEncoder(resource, views, projection);
    case 'PartialObjectMetadata':
      return partialEncoder(resource, views, conversion, projection);
    case 'Table': {
      const include = includeObjectOf(request);
      return new TableEncoder(resource, views, { conversion, include, clock });
    }
    case 'PartialObjectMetadataList':
      throw noList(resource);
  }
}
