import { STATUS_CODES, ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { badRequest } from '../api/api-error.ts';
import { afterAnswers } from './after-answers.ts';
import type { Wire } from './budgeted-sink.ts';
import { Cancellation } from './cancellation.ts';
import { ClientGone } from './client-gone.ts';
import { isPushed, type ApiRequest, type ApiResponse, type PushedBody } from './message.ts';
import { apiRequestFrom, toOriginForm } from './request.ts';
import { discard, send, userOf, type Handle } from './send.ts';
import { startPush } from './start-push.ts';

export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Serves requests whose client asks for another protocol (`Connection: upgrade`).
 * They pass the pipeline like all others. The answer 101 turns the connection
 * into a stream in both directions; any other one is sent as usual and ends the
 * connection, since Node has stopped to read requests from it. Behind other
 * requests of its connection such a request waits for their answers.
 */
export function upgradeListener(handle: Handle): UpgradeListener {
  return (req, socket, head) => {
    toOriginForm(req);
    // Node has taken its own listeners away; without this one a reset would end the process.
    socket.on('error', () => socket.destroy());
    if (socket instanceof Socket) {
      afterAnswers(socket, () => void serveUpgrade(handle, req, socket, head));
    } else socket.destroy();
  };
}

async function serveUpgrade(
  handle: Handle,
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  socket.setTimeout(0);
  const cancellation = new Cancellation();
  socket.once('close', () => cancellation.abort(new ClientGone()));
  const request = upgradableRequest(req, cancellation);
  const response = await handle(request);
  if (socket.destroyed) await discard(response);
  else if (response.status === 101 && isPushed(response.body)) {
    accept(socket, head, response, { body: response.body, user: userOf(request) });
  } else await refuse(req, socket, response, userOf(request));
}

function upgradableRequest(req: IncomingMessage, cancellation: Cancellation): ApiRequest {
  const request = { ...apiRequestFrom(req, cancellation), isUpgradable: true };
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers;
  // Node hands the body to the upgraded protocol, where it cannot be told from that protocol's data.
  if (length === '0' && coding === undefined) return request;
  const error = badRequest('a request that asks for another protocol cannot have a body');
  return { ...request, body: () => Promise.reject(error) };
}

function accept(
  socket: Socket,
  head: Buffer,
  response: ApiResponse,
  { body, user }: { body: PushedBody; user: string },
): void {
  socket.setNoDelay(true);
  socket.write(headOf(response));
  const wire: Wire = {
    write: (bytes, onSent) => socket.write(bytes, onSent),
    // Waits for what is written, not for a client that never closes its side.
    end: () => socket.destroySoon(),
    destroy: () => void socket.destroy(),
  };
  const control = startPush(socket, wire, body, user);
  const receive = (bytes: Buffer): void => {
    const pending = control.receive?.(bytes);
    if (pending === undefined) return;
    socket.pause();
    void pending.finally(() => socket.resume());
  };
  if (head.length > 0) receive(head);
  socket.on('data', receive);
}

function headOf({ status, headers }: ApiResponse): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) lines.push(`${name}: ${value}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

async function refuse(
  req: IncomingMessage,
  socket: Socket,
  response: ApiResponse,
  user: string,
): Promise<void> {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.once('finish', () => {
    res.detachSocket(socket);
    socket.destroySoon();
  });
  await send(req, res, response, { user });
}
