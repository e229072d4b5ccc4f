import type { Transport } from '../transport.ts';
import { errorOf, invalidAnswer, type StatusError } from '../status.ts';
import {
  frameOf,
  STREAM_PATH,
  type Commands,
  type Connection,
  type ConnectionEvents,
  type OpenConnection,
  type SubscriptionMessage,
} from './frames.ts';

/** What a WebSocket of a browser, or of a library for Node, offers. */
interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(): void;
}

export type OpenSocket = (url: string, protocols: string[]) => SocketLike;

const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';
const PROTOCOL = 'v1';
/** Characters of subscriptions in one message: the server reads at most 64 KB. */
const MAX_MESSAGE_LENGTH = 16_000;

/** Streams over WebSockets: subscriptions come and go on an open connection. */
export function socketConnections(transport: Transport, open: OpenSocket): OpenConnection {
  return (begin, events) => new SocketConnection(transport, open, begin, events);
}

class SocketConnection implements Connection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  readonly #socket: SocketLike | undefined;
  #isOpen = false;
  #isOver = false;

  constructor(
    transport: Transport,
    open: OpenSocket,
    begin: readonly SubscriptionMessage[],
    events: ConnectionEvents,
  ) {
    this.#transport = transport;
    this.#events = events;
    let socket: SocketLike;
    try {
      socket = open(socketUrl(transport.baseUrl), protocolsOf(transport.token));
    } catch {
      void Promise.resolve().then(() => this.#end(undefined));
      return;
    }
    this.#socket = socket;
    socket.onopen = () => {
      this.#isOpen = true;
      if (this.#isOver) return;
      events.onOpen();
      this.#say({ add: begin, remove: [] });
    };
    socket.onmessage = ({ data }) => this.#came(String(data));
    socket.onerror = () => undefined;
    socket.onclose = () => void this.#closed();
  }

  tell(commands: Commands): boolean {
    if (!this.#isOpen || this.#isOver) return false;
    this.#say(commands);
    return true;
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.close();
  }

  #say({ add, remove }: Commands): void {
    for (const message of messagesOf(add)) this.#socket?.send(message);
    if (remove.length > 0) this.#socket?.send(JSON.stringify({ remove }));
  }

  #came(text: string): void {
    if (this.#isOver) return;
    try {
      this.#events.onFrame(frameOf(text, (each) => this.#transport.parse(each)));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#socket?.close();
      this.#end(invalidAnswer(`a message of the stream is not a frame: ${error.message}`));
    }
  }

  /** A browser does not say why a WebSocket was refused: a plain request finds out. */
  async #closed(): Promise<void> {
    if (this.#isOver) return;
    this.#end(this.#isOpen ? undefined : await this.#whyRefused());
  }

  async #whyRefused(): Promise<StatusError | undefined> {
    try {
      const { status, text } = await this.#transport.raw('GET', STREAM_PATH);
      return status === 401 || status === 403 ? errorOf(status, text) : undefined;
    } catch {
      return undefined;
    }
  }

  #end(error: StatusError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onEnd(error);
  }
}

function* messagesOf(all: readonly SubscriptionMessage[]): Generator<string, void> {
  let add: string[] = [];
  let length = 0;
  for (const each of all) {
    const text = JSON.stringify(each);
    if (add.length > 0 && length + text.length > MAX_MESSAGE_LENGTH) {
      yield `{"add":[${add.join()}]}`;
      add = [];
      length = 0;
    }
    add.push(text);
    length += text.length;
  }
  if (add.length > 0) yield `{"add":[${add.join()}]}`;
}

function socketUrl(baseUrl: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = new URL(`${baseUrl}${STREAM_PATH}`, page);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return url.href;
}

function protocolsOf(token: string): string[] {
  if (token === '') return [];
  const text = String.fromCharCode(...new TextEncoder().encode(token));
  const encoded = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return [`${TOKEN_PROTOCOL}${encoded}`, PROTOCOL];
}
