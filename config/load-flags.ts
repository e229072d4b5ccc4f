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
}

const requests = integerBetween(0, 1_000_000);

export const LOAD_FLAGS: readonly Flag<LoadConfig>[] = [
  {
    name: 'maxRequestsInflight',
    flags: '--max-requests-inflight <requests>',
    description:
      'how many reading requests are worked on at a time; others wait their turn, and too many are answered 429; 0: no limit',
    default: 400,
    parse: requests,
  },
  {
    name: 'maxMutatingRequestsInflight',
    flags: '--max-mutating-requests-inflight <requests>',
    description: 'the same for requests that change something; 0: no limit',
    default: 200,
    parse: requests,
  },
  {
    name: 'maxLongRunningRequests',
    flags: '--max-long-running-requests <requests>',
    description: 'how many watches may be open; more are answered 429; 0: no limit',
    default: 20_000,
    parse: requests,
  },
  {
    name: 'enablePriorityAndFairness',
    flags: '--enable-priority-and-fairness [true|false]',
    description:
      'whether users take turns, so that one with many requests does not keep others waiting',
    default: true,
    parse: trueOrFalse,
  },
  {
    name: 'requestTimeoutSeconds',
    flags: '--request-timeout <seconds>',
    description: 'how long a request may take; watches are exempt',
    default: 60,
    parse: secondsBetween(1, 3600),
  },
  {
    name: 'minRequestTimeoutSeconds',
    flags: '--min-request-timeout <seconds>',
    description:
      'how long a watch is kept open at least, and twice that at most, when its client says nothing of it; each ends at a moment of its own, so that clients come back one after the other',
    default: 1800,
    parse: secondsBetween(1, 24 * 3600),
  },
  {
    name: 'maxRequestBodyBytes',
    flags: '--max-request-body-bytes <bytes>',
    description: 'larger request bodies are refused with 413',
    default: 3 * 1024 * 1024,
    parse: integerBetween(1024, 64 * 1024 * 1024),
  },
];
