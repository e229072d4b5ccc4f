import type { Flag } from './flag.ts';
import { integerBetween, secondsBetween, trueOrFalse } from './parsers.ts';

/** What the load may be before the server protects itself, and what one request may cost. */
export interface LoadConfig {
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxLongRunningRequests: number;
  readonly enablePriorityAndFairness: boolean;
  readonly requestTimeoutSeconds: number;
  readonly minRequestTimeoutSeconds: number;
  readonly maxRequestBodyBytes: number;
  readonly http2MaxStreamsPerConnection: number;
  readonly disableHttp2Serving: boolean;
  /** MiB. */
  readonly replicaIndexMemory: number;
}

/** As many as Go's server allows. */
const MAX_STREAMS = 250;
/** MiB. */
const MAX_INDEX_MEMORY = 65_536;
const requests = integerBetween(0, 1_000_000);

export const LOAD_FLAGS: readonly Flag<LoadConfig>[] = [
  {
    name: 'maxRequestsInflight',
    flags: '--max-requests-inflight <requests>',
    description:
      'largest number of read requests in progress; further ones are queued, and rejected with 429 when the queue is full; 0: no limit',
    default: 400,
    parse: requests,
  },
  {
    name: 'maxMutatingRequestsInflight',
    flags: '--max-mutating-requests-inflight <requests>',
    description:
      'largest number of write requests in progress; further ones are queued, and rejected with 429 when the queue is full; 0: no limit',
    default: 200,
    parse: requests,
  },
  {
    name: 'maxLongRunningRequests',
    flags: '--max-long-running-requests <requests>',
    description: 'largest number of open watches; further ones are rejected with 429; 0: no limit',
    default: 20_000,
    parse: requests,
  },
  {
    name: 'enablePriorityAndFairness',
    flags: '--enable-priority-and-fairness [true|false]',
    description:
      'whether queued requests are scheduled fairly among users, so that one user with many requests does not delay others',
    default: true,
    parse: trueOrFalse,
  },
  {
    name: 'requestTimeoutSeconds',
    flags: '--request-timeout <seconds>',
    description: 'time limit of a request; watches are exempt',
    default: 60,
    parse: secondsBetween(1, 3600),
  },
  {
    name: 'minRequestTimeoutSeconds',
    flags: '--min-request-timeout <seconds>',
    description:
      'shortest lifetime of a watch without timeoutSeconds; the longest is twice that. Each watch gets a random time between them, so that clients do not reconnect all at once',
    default: 1800,
    parse: secondsBetween(1, 24 * 3600),
  },
  {
    name: 'maxRequestBodyBytes',
    flags: '--max-request-body-bytes <bytes>',
    description: 'largest request body; larger ones are rejected with 413',
    default: 3 * 1024 * 1024,
    parse: integerBetween(1024, 64 * 1024 * 1024),
  },
  {
    name: 'http2MaxStreamsPerConnection',
    flags: '--http2-max-streams-per-connection <streams>',
    description: 'largest number of requests and watches open on one HTTP/2 connection',
    default: MAX_STREAMS,
    parse: integerBetween(1, 10_000),
  },
  {
    name: 'disableHttp2Serving',
    flags: '--disable-http2-serving [true|false]',
    description: 'whether to offer HTTP/1.1 only',
    default: false,
    parse: trueOrFalse,
  },
  {
    name: 'replicaIndexMemory',
    flags: '--replica-index-memory <MiB>',
    description:
      'memory for the indexes of reads by labels and fields; the least recently used indexes are dropped first. 0: no indexes',
    default: 128,
    parse: integerBetween(0, MAX_INDEX_MEMORY),
  },
];
