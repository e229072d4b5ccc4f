import type { WorkerPage } from '../../telemetry/metrics/peers.ts';

/** What workers and their supervisor tell each other, over the channel that Node gives to forked processes. */

export type FromWorker =
  /** It serves, and has this to say to the operator. */
  | { readonly kind: 'ready'; readonly greeting: string }
  /** It wants a page as the others show it. */
  | { readonly kind: 'ask'; readonly id: number; readonly page: string }
  | { readonly kind: 'page'; readonly id: number; readonly text: string };

export type ToWorker =
  | { readonly kind: 'show'; readonly id: number; readonly page: string }
  | { readonly kind: 'pages'; readonly id: number; readonly pages: readonly WorkerPage[] };
