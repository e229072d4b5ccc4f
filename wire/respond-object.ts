import { systemClock, type Clock } from '../api/clock.ts';
import { inTurns } from '../api/steps.ts';
import { inNameOf } from '../registry/alias.ts';
import type { Projection } from '../registry/projection.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { answer, line } from './answer.ts';
import { laidOut } from './layout.ts';
import { includeObjectOf, negotiateObjects, noList, type Conversion } from './negotiate.ts';
import { partialObject } from './partial-object.ts';
import { documentSteps } from './protobuf/document.ts';
import { tableOfOne } from './table-of-one.ts';

interface RespondOptions {
  readonly clock?: Clock;
  /** The part of the object that is shown; tables are made of the whole. */
  readonly projection?: Projection | undefined;
}

/**
 * One object in the form that the client accepts. `bytes` are its finished
 * JSON; they are not changed.
 *
 * @throws ApiError 406, 400 for a table that cannot be made as asked
 */
export function respondObject(
  exchange: Exchange,
  resource: ServedResource,
  bytes: Buffer,
  status: number,
  { clock = systemClock, projection }: RespondOptions = {},
): ApiResponse | Promise<ApiResponse> {
  const representation = negotiateObjects(exchange.request, resource);
  const whole = inNameOf(resource, bytes);
  const isTable = representation.conversion?.kind === 'Table';
  const part = projection === undefined || isTable ? whole : projection.show(whole);
  const named = { resource, bytes: part, clock };
  const shown = shownAs(exchange, named, representation.conversion);
  if (representation.format === 'json' && !representation.pretty) {
    return answer(exchange, status, representation, line(shown));
  }
  const laid =
    representation.format === 'protobuf'
      ? inTurns(documentSteps(shown))
      : laidOut(shown, representation, 'document');
  return laid instanceof Promise
    ? laid.then((made) => answer(exchange, status, representation, made))
    : answer(exchange, status, representation, laid);
}

function shownAs(
  exchange: Exchange,
  { resource, bytes, clock }: { resource: ServedResource; bytes: Buffer; clock: Clock },
  conversion: Conversion | undefined,
): Buffer {
  switch (conversion?.kind) {
    case undefined:
      return bytes;
    case 'PartialObjectMetadata':
      return partialObject(bytes, conversion);
    case 'PartialObjectMetadataList':
      throw noList(resource);
    case 'Table':
      return tableOfOne(resource, bytes, {
        conversion,
        include: includeObjectOf(exchange.request),
        now: clock.now(),
        hasHeaders: true,
      });
  }
}
