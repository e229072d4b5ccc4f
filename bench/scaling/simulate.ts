import { EventQueue } from './event-queue.ts';

/** What an operation costs, in milliseconds, as measured (docs/scaling.md). */
export interface Costs {
  /** CPU of the server that a write comes to. */
  readonly write: number;
  /** CPU of each other server, for its replica. */
  readonly follow: number;
  /** CPU for one event to one watch. */
  readonly event: number;
  /** CPU for a get. */
  readonly get: number;
  /** CPU of the leader of etcd for a write, and how many processors it has. */
  readonly etcd: number;
  readonly etcdProcessors: number;
  /** One write of etcd's log to the disks of a majority; the writes that wait share it. */
  readonly sync: number;
  /** Between two machines and back. */
  readonly roundTrip: number;
}

/** What comes to all servers together, evenly spread. */
export interface Load {
  readonly servers: number;
  readonly writesPerSecond: number;
  readonly getsPerSecond: number;
  /** To how many watches the event of a write goes. */
  readonly watchesOfEvent: number;
}

export interface Outcome {
  /** Time of a write, as its client sees it, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Part of the time in which the busiest server, and the busiest processor of etcd, have work. */
  readonly serverBusy: number;
  readonly etcdBusy: number;
}

/** What is simulated; the first tenth does not count. */
const SECONDS = 4;

/** Does one thing after the other. */
class Processor {
  readonly #events: EventQueue;
  #free = 0;
  busy = 0;

  constructor(events: EventQueue) {
    this.#events = events;
  }

  do(at: number, work: number, then: (at: number) => void = () => undefined): void {
    this.busy += work;
    this.#free = Math.max(this.#free, at) + work;
    this.#events.add(this.#free, then);
  }
}

/** The log of etcd: what comes while the disk writes waits for its next time. */
class Disk {
  readonly #events: EventQueue;
  readonly #sync: number;
  #waiting: ((at: number) => void)[] = [];
  #writes = false;

  constructor(events: EventQueue, sync: number) {
    this.#events = events;
    this.#sync = sync;
  }

  write(at: number, then: (at: number) => void): void {
    this.#waiting.push(then);
    if (!this.#writes) this.#begin(at);
  }

  #begin(at: number): void {
    const written = this.#waiting;
    this.#waiting = [];
    this.#writes = written.length > 0;
    if (!this.#writes) return;
    this.#events.add(at + this.#sync, (end) => {
      for (const then of written) then(end);
      this.#begin(end);
    });
  }
}

/**
 * An installation under a load, as queues: each server has one event loop, etcd a
 * leader with some processors and a log. Arrivals have no memory (Poisson). A load
 * that is too high shows times that grow with what is simulated.
 */
export function simulate(costs: Costs, load: Load, random: () => number): Outcome {
  const events = new EventQueue();
  const servers = Array.from({ length: load.servers }, () => new Processor(events));
  const etcd = Array.from({ length: costs.etcdProcessors }, () => new Processor(events));
  const disk = new Disk(events, costs.sync);
  const fanOut = (costs.event * load.watchesOfEvent) / load.servers;
  const half = costs.roundTrip / 2;
  const times: number[] = [];
  const anyOf = (processors: readonly Processor[]): Processor => {
    const one = processors[Math.floor(random() * processors.length)];
    if (one === undefined) throw new Error('there is none');
    return one;
  };
  const write = (begun: number): void => {
    const own = anyOf(servers);
    own.do(begun, costs.write, (at) => {
      anyOf(etcd).do(at + half, costs.etcd, (proposed) => {
        disk.write(proposed, (stored) => {
          if (begun > SECONDS * 100) times.push(stored + half - begun);
          for (const server of servers) {
            server.do(stored + half, (server === own ? 0 : costs.follow) + fanOut);
          }
        });
      });
    });
  };
  const arrive = (perSecond: number, what: (at: number) => void): void => {
    const next = (at: number): void => {
      const then = at - (Math.log(1 - random()) / perSecond) * 1_000;
      if (then > SECONDS * 1_000) return;
      events.add(then, (now) => {
        what(now);
        next(now);
      });
    };
    if (perSecond > 0) next(0);
  };
  arrive(load.writesPerSecond, write);
  arrive(load.getsPerSecond, (at) => anyOf(servers).do(at, costs.get));
  events.run();
  times.sort((a, b) => a - b);
  const quantile = (q: number): number => times[Math.floor(times.length * q)] ?? NaN;
  const share = (of: readonly Processor[]): number =>
    Math.max(...of.map(({ busy }) => busy)) / (SECONDS * 1_000);
  return {
    p50: quantile(0.5),
    p99: quantile(0.99),
    serverBusy: share(servers),
    etcdBusy: share(etcd),
  };
}
