import type { Worker } from 'node:cluster';
import type { Clock } from '../../api/clock.ts';

/** How `node:cluster` gives a connection to a worker, and how that answers (Node 20 to 24). */
interface ClusterMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
  readonly accepted?: boolean;
}
const CLUSTER = 'NODE_CLUSTER';
const NEW_CONNECTION = 'newconn';

/** A connection waits so long for the worker with the fewest; one that is busy for longer gets no more until it answers. */
const PATIENCE_MS = 20;

/** A connection on its way, which the cluster module has meant for one worker; any other takes it as well. */
interface Handover {
  readonly meantFor: Member;
  readonly seq: number;
  /** What `send` of the process that gets it is called with. */
  readonly message: readonly unknown[];
}

interface Member {
  readonly worker: Worker;
  readonly send: (...message: readonly unknown[]) => boolean;
  /** Connections that it has or is about to get. */
  open: number;
  /** Numbers of those that it has not answered. */
  readonly unanswered: Set<number>;
  /** Connections that wait until it answers. */
  waiting: Handover[];
  /** It has accepted the last connection that it was given: it listens, and is not about to end. */
  isTaking: boolean;
  /** A connection has waited for it in vain. */
  isSlow: boolean;
  stopWaiting: () => void;
}

/**
 * Gives each new connection to the worker with the fewest. The cluster module
 * gives it to the one that answers first: of eight that come at once a worker
 * got up to seven, and one that takes another's place has few for a long time,
 * because clients keep their connections.
 *
 * The cluster module still decides how many are on their way: one for each
 * worker. It finds the answer by the number of the message, whichever process
 * it comes from.
 */
export class ConnectionDivision {
  readonly #clock: Clock;
  readonly #members = new Map<Worker, Member>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on it gets connections through here. */
  join(worker: Worker): void {
    const child = worker.process;
    const send = child.send.bind(child) as Member['send'];
    const member: Member = {
      ...{ worker, send, open: 0, unanswered: new Set<number>(), waiting: [] },
      ...{ isTaking: false, isSlow: false, stopWaiting: () => undefined },
    };
    this.#members.set(worker, member);
    const divided = (...message: readonly unknown[]): boolean => {
      const { cmd, act, seq } = message[0] as ClusterMessage;
      if (cmd !== CLUSTER || act !== NEW_CONNECTION || seq === undefined) return send(...message);
      this.#offer({ meantFor: member, seq, message });
      return true;
    };
    Object.assign(child, { send: divided });
    child.on('internalMessage', ({ ack, accepted }: ClusterMessage) => {
      if (ack !== undefined && member.unanswered.delete(ack)) {
        this.#answered(member, accepted === true);
      }
    });
    // not 'disconnect', which waits for the answers of this worker
    worker.once('exit', () => this.#ended(member));
  }

  /** So many of its connections have ended. */
  closed(worker: Worker, count: number): void {
    const member = this.#members.get(worker);
    if (member !== undefined) member.open -= count;
  }

  #offer(handover: Handover): void {
    const best = this.#best(handover.meantFor);
    if (best === undefined) {
      answerFor(handover.meantFor.worker, handover.seq);
      return;
    }
    if (best.unanswered.size === 0 || best.isSlow) {
      best.open++;
      best.unanswered.add(handover.seq);
      best.send(...handover.message);
      return;
    }
    best.waiting.push(handover);
    if (best.waiting.length > 1) return;
    best.stopWaiting = this.#clock.after(PATIENCE_MS, () => {
      best.isSlow = true;
      this.#offerAgain(best);
    });
  }

  /** The one with the fewest connections; of several that for which the connection was meant. Undefined when there is none. */
  #best(meantFor: Member): Member | undefined {
    let best = this.#members.get(meantFor.worker);
    for (const member of this.#members.values()) {
      if (!member.isTaking || member.isSlow) continue;
      if (best === undefined || best.isSlow || member.open < best.open) best = member;
    }
    return best;
  }

  #answered(member: Member, accepted: boolean): void {
    if (!accepted) member.open--;
    member.isTaking = accepted;
    member.isSlow = false;
    this.#offerAgain(member);
  }

  /**
   * The cluster module waits for the answers of a worker also when that has ended, and
   * would keep its clients waiting as long as this process runs.
   */
  #ended(member: Member): void {
    this.#members.delete(member.worker);
    for (const seq of member.unanswered) answerFor(member.worker, seq);
    this.#offerAgain(member);
  }

  #offerAgain(member: Member): void {
    member.stopWaiting();
    const { waiting } = member;
    member.waiting = [];
    for (const handover of waiting) this.#offer(handover);
  }
}

/** The cluster module lets go of the connection, which closes it. */
function answerFor(worker: Worker, ack: number): void {
  worker.process.emit('internalMessage', { cmd: CLUSTER, ack, accepted: true });
}
