import express, { type Request, type Response } from 'express';
import type { RequestListener } from 'node:http';
import { messageClassesOf, type MessageClasses } from './express-messages.ts';
import { toOriginForm } from './request.ts';
import { serve, type Handle } from './send.ts';
import { upgradeListener, type UpgradeListener } from './upgrade.ts';

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
 * its answer. `onDefect` is told when an answer cannot be sent: that is no
 * client's doing.
 */
export function expressApplication(
  handle: Handle,
  onDefect: (error: unknown) => void,
): HttpApplication {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Every path and method goes to the pipeline, which does its own routing.
  app.use((req: Request, res: Response) => serve(handle, req, res));
  return {
    listener: (req, res) => {
      toOriginForm(req);
      // Express' own last word would be a page that shows the error's stack to the client.
      app(req as Request, res as Response, (error: unknown) => {
        onDefect(error);
        res.destroy();
      });
    },
    upgrade: upgradeListener(handle),
    messages: messageClassesOf(app),
  };
}
