import type { Express } from 'express';
import { ServerResponse, type IncomingMessage } from 'node:http';
import { givingRequestClass } from './giving-request.ts';

/**
 * The classes of which Node is to make the messages of this application. They
 * are what Express would turn every message into: it changes the prototype of
 * each request and response, after which V8 treats both as dictionaries.
 * Messages that are born with that prototype cost half the CPU time of a get
 * (docs/decisions/0010-messages-born-for-express.md).
 */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** Makes the classes, and tells `app` that their prototypes are its own. */
export function messageClassesOf(app: Express): MessageClasses {
  const ExpressRequest = givingRequestClass();
  class ExpressResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  // Express would create a dictionary for each response; Plinth does not use it.
  Object.defineProperty(ExpressResponse.prototype, 'locals', { value: Object.freeze({}) });
  app.request = ExpressRequest.prototype as unknown as Express['request'];
  app.response = ExpressResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
