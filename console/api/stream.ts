import { at, textAt, type Json } from './json.ts';

/** What a view wants to hear of. */
interface Watch {
  /** `configmaps`, `leases.v1.coordination.cluster.io`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly filter?: string;
  /** Changes after this revision; absent: the present state first. */
  readonly resourceVersion?: string;
  readonly sendInitialEvents?: boolean;
  /** `Table`: each object as a table with one row. */
  readonly as?: 'Table';
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Who hears of it. */
interface Listener {
  change(type: ChangeType, object: Json): void;
  /** The state, or what was missed, has been sent. */
  ready?(): void;
  /** The subscription is over: read again (410), or say why. */
  ended(code: number, message: string): void;
}

export type Connection = 'connecting' | 'live' | 'lost';

/** The part of a WebSocket that the stream uses. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

interface Member {
  readonly watch: Watch;
  readonly listener: Listener;
  /** Everything up to this revision has been heard. */
  safe: string;
  /** Events of this revision have been heard, perhaps not all. */
  last: string;
}

interface StreamOptions {
  readonly open: () => Socket;
  readonly later: (run: () => void, ms: number) => void;
  readonly random: () => number;
  readonly onState: (state: Connection) => void;
}

/** Waits between attempts to connect, in milliseconds: they double from one to the other. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/**
 * The one connection of the console. Views add and remove what they want to
 * hear of; after a loss the stream connects again and each subscription goes on
 * behind the last revision that it has heard completely.
 */
export class Stream {
  readonly #options: StreamOptions;
  readonly #members = new Map<string, Member>();
  #socket: Socket | undefined;
  #isOpen = false;
  #isClosed = false;
  #next = 0;
  #wait = FIRST_WAIT_MS;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Begins a subscription; the answer ends it. */
  add(watch: Watch, listener: Listener): () => void {
    this.#next += 1;
    const id = String(this.#next);
    const safe = watch.resourceVersion ?? '';
    this.#members.set(id, { watch, listener, safe, last: safe });
    if (this.#isOpen) this.#say({ add: [this.#question(id)] });
    else this.connect();
    return () => {
      if (!this.#members.delete(id)) return;
      if (this.#isOpen) this.#say({ remove: [id] });
    };
  }

  /** Connects now, also when the next attempt would be later. */
  connect(): void {
    if (this.#socket !== undefined || this.#isClosed) return;
    this.#options.onState('connecting');
    const socket = this.#options.open();
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#isOpen = true;
      this.#wait = FIRST_WAIT_MS;
      this.#options.onState('live');
      const ids = [...this.#members.keys()];
      if (ids.length > 0) this.#say({ add: ids.map((id) => this.#question(id)) });
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket && typeof data === 'string') this.#hear(JSON.parse(data) as Json);
    };
    socket.onclose = () => this.#lost(socket);
  }

  /** Ends the connection for good. */
  close(): void {
    this.#isClosed = true;
    this.#members.clear();
    this.#socket?.close();
    this.#socket = undefined;
    this.#isOpen = false;
  }

  #lost(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#options.onState('lost');
    const wait = this.#wait * (0.5 + this.#options.random() / 2);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    this.#options.later(() => this.connect(), wait);
  }

  #question(id: string): Json {
    const member = this.#members.get(id);
    if (member === undefined) return {};
    const { resourceVersion: _, sendInitialEvents, ...rest } = member.watch;
    const start =
      member.safe === ''
        ? sendInitialEvents === undefined
          ? {}
          : { sendInitialEvents }
        : { resourceVersion: member.safe };
    return { id, ...rest, ...start };
  }

  #say(message: Json): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #hear(frame: Json): void {
    const id = textAt(frame, 'id');
    const type = textAt(frame, 'type');
    const object = at(frame, 'object') ?? null;
    if (id === '') {
      if (type === 'BOOKMARK') this.#heardAll(textAt(object, 'metadata', 'resourceVersion'));
      return;
    }
    const member = this.#members.get(id);
    if (member === undefined) return;
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        advance(member, revisionOf(object));
        member.listener.change(type, object);
        break;
      case 'BOOKMARK':
        member.safe = member.last = revisionOf(object);
        member.listener.ready?.();
        break;
      case 'ERROR':
        this.#members.delete(id);
        member.listener.ended(Number(at(object, 'code') ?? 0), textAt(object, 'message'));
        break;
    }
  }

  #heardAll(revision: string): void {
    for (const member of this.#members.values()) {
      // one without a position has not been sent its state yet
      if (member.safe !== '') member.safe = member.last = revision;
    }
  }
}

/** The events of one revision are complete when one of a later revision has come. */
function advance(member: Member, revision: string): void {
  if (member.safe === '' || revision === '' || revision === member.last) return;
  member.safe = member.last;
  member.last = revision;
}

/** Of an object, of a bookmark, or of the only row of a table. */
function revisionOf(object: Json): string {
  return (
    textAt(object, 'metadata', 'resourceVersion') ||
    textAt(object, 'rows', 0, 'object', 'metadata', 'resourceVersion')
  );
}
