import express, { type Request, type Response } from 'express';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { messageClassesOf, type MessageClasses } from './express-messages.ts';
import { beginInTurn } from './pipeline.ts';
import { toOriginForm } from './request.ts';
import { serve, type Handle } from './send.ts';
import { upgradeListener, type UpgradeListener } from './upgrade.ts';

/** A request that Express has seen: `next` is how its router goes on. */
interface Routed extends IncomingMessage {
  next?: unknown;
}

/** What an HTTP server needs to serve an application. */
export interface HttpApplication {
  readonly listener: RequestListener;
  /** For connections whose client asks for another protocol. */
  readonly upgrade: UpgradeListener;
  /** Of these the server makes requests and responses. */
  readonly messages: MessageClasses;
}

/**
 * The only file that knows Express: hands every request to `handle`, and sends
 * its answer. `onDefect` is told when an answer cannot be sent: a client
 * never causes that.
 */
export function expressApplication(
  handle: Handle,
  onDefect: (error: unknown) => void,
): HttpApplication {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const fail = (error: unknown, res: ServerResponse): void => {
    onDefect(error);
    res.destroy();
  };
  // Every path and method goes to the pipeline, which does its own routing. Express is not
  // told when it ends: it would keep all that it needed to route the request until then.
  app.use((req: Request, res: Response) => {
    serve(handle, req, res)?.catch((error: unknown) => fail(error, res));
  });
  const begin = (req: Routed, res: ServerResponse): void => {
    toOriginForm(req);
    // Express' own last word would be a page that shows the error's stack to the client.
    app(req as Request, res as Response, (error: unknown) => fail(error, res));
    // No handler follows, and the request object lives until its answer is sent: drop what `next` holds.
    req.next = undefined;
  };
  return {
    listener: (req: Routed, res) => beginInTurn(req.socket, res, () => begin(req, res)),
    upgrade: upgradeListener(handle),
    messages: messageClassesOf(app),
  };
}
