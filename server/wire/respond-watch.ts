import type { AcceptedWatch } from '../../registry/watch.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import type { ApiResponse, PushedBody } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { negotiateStream } from './negotiate.ts';
import { JsonEncoder } from './watch-encoder.ts';

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
): ApiResponse {
  negotiateStream(exchange.request);
  const encoder = new JsonEncoder(resource, parts.views);
  const body: PushedBody = {
    start(sink) {
      const subscription = accepted.open(encoder, sink, () => undefined);
      return {
        resume: () => subscription.resume(),
        close: () => subscription.close(),
      };
    },
  };
  return { status: 200, headers: { 'content-type': MEDIA_TYPE.json }, body };
}
