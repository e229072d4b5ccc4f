import type { ApiObject } from './objects.ts';
import type { Commands, StreamFrame, SubscriptionMessage } from './stream/frames.ts';
import type { OpenSocket } from './stream/socket.ts';
import type { Timers } from './stream/timers.ts';

interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

/** Time that passes when a test says so. */
export class FakeTimers implements Timers {
  #now = 0;
  #waiting: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#now + ms, run };
    this.#waiting.push(entry);
    return () => void (this.#waiting = this.#waiting.filter((each) => each !== entry));
  }

  /** Runs what is due, in order; what that begins as well. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** Nothing runs in between, as on a machine that sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }
}

interface FakeSocket extends ReturnType<OpenSocket> {
  isOpen: boolean;
  readonly members: Map<string, SubscriptionMessage>;
  /** What the server has sent and the client has not read. */
  pending: StreamFrame[];
}

/** A server of one stream, in memory: a log of changes, and sockets that are cut at any frame. */
export class FakeStreamServer {
  revision = 10;
  /** History up to here is gone. */
  compacted = 0;
  readonly log: Change[] = [];
  readonly objects = new Map<string, ApiObject>();
  readonly sockets: FakeSocket[] = [];
  isDown = false;
  /** Subscriptions are refused. */
  isForbidding = false;
  opened = 0;

  readonly open: OpenSocket = () => {
    this.opened++;
    const socket: FakeSocket = {
      ...{ onopen: null, onmessage: null, onclose: null, onerror: null },
      isOpen: false,
      members: new Map(),
      pending: [],
      send: (text) => this.#told(socket, JSON.parse(text) as Partial<Commands>),
      close: () => this.#forget(socket),
    };
    this.sockets.push(socket);
    return socket;
  };

  /** Lets sockets open, or refuses them. */
  settle(): void {
    for (const socket of [...this.sockets]) {
      if (socket.isOpen) continue;
      if (this.isDown) this.cut(socket);
      else {
        socket.isOpen = true;
        socket.onopen?.();
      }
    }
  }

  /** One transaction. */
  write(names: readonly string[], type: Change['type'] = 'MODIFIED'): void {
    this.revision++;
    for (const name of names) {
      const object = { metadata: { name, resourceVersion: String(this.revision) } };
      const change: Change = { revision: this.revision, type, object };
      this.log.push(change);
      if (type === 'DELETED') this.objects.delete(name);
      else this.objects.set(name, object);
      for (const socket of this.sockets) {
        for (const id of socket.members.keys()) socket.pending.push({ id, type, object });
      }
    }
  }

  bookmark(): void {
    const metadata = { resourceVersion: String(this.revision) };
    for (const { pending } of this.sockets)
      pending.push({ type: 'BOOKMARK', object: { metadata } });
  }

  /** The client reads so many frames. */
  deliver(count = Infinity): void {
    for (const socket of [...this.sockets]) {
      for (let i = 0; i < count && socket.pending.length > 0 && socket.isOpen; i++) {
        socket.onmessage?.({ data: JSON.stringify(socket.pending.shift()) });
      }
    }
  }

  /** The connections are lost with what they had not delivered. */
  cut(...sockets: FakeSocket[]): void {
    for (const socket of sockets.length > 0 ? sockets : [...this.sockets]) {
      this.#forget(socket);
      socket.onclose?.();
    }
  }

  #forget(socket: FakeSocket): void {
    const at = this.sockets.indexOf(socket);
    if (at >= 0) this.sockets.splice(at, 1);
    socket.isOpen = false;
    socket.pending = [];
  }

  #told(socket: FakeSocket, { add = [], remove = [] }: Partial<Commands>): void {
    for (const id of remove) {
      socket.members.delete(id);
      socket.pending.push({ id, type: 'REMOVED' });
    }
    for (const message of add) this.#begin(socket, message);
  }

  #begin(socket: FakeSocket, message: SubscriptionMessage): void {
    const { id, resourceVersion } = message;
    const from = Number(resourceVersion ?? 0);
    if (this.isForbidding) {
      const object = { kind: 'Status', code: 403, reason: 'Forbidden' } as const;
      socket.pending.push({ id, type: 'ERROR', object });
      return;
    }
    if (resourceVersion !== undefined && from < this.compacted) {
      const object = { kind: 'Status', code: 410, reason: 'Expired' } as const;
      socket.pending.push({ id, type: 'ERROR', object });
      return;
    }
    socket.members.set(id, message);
    if (resourceVersion === undefined && message.sendInitialEvents !== false) {
      const state = [...this.objects.values()].sort((a, b) =>
        (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1,
      );
      for (const object of state) socket.pending.push({ id, type: 'ADDED', object });
    } else {
      for (const { revision, type, object } of this.log) {
        if (resourceVersion !== undefined && revision > from)
          socket.pending.push({ id, type, object });
      }
    }
    const metadata = { resourceVersion: String(this.revision) };
    socket.pending.push({ id, type: 'BOOKMARK', object: { metadata } });
  }
}
