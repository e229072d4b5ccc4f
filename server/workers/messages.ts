import type { SignInStep } from '../../access/sessions/attempts.ts';
import type { WorkerPage } from '../../telemetry/metrics/peers.ts';

/** What workers and their supervisor tell each other, over the channel that Node gives to forked processes. */

export type FromWorker =
  /** It serves, and has this to say to the operator. */
  | { readonly kind: 'ready'; readonly greeting: string }
  /** It wants a page as the others show it. */
  | { readonly kind: 'ask'; readonly id: number; readonly page: string }
  | { readonly kind: 'page'; readonly id: number; readonly text: string }
  /** An address tries to sign in. */
  | {
      readonly kind: 'attempt';
      readonly id: number;
      readonly address: string;
      readonly step: SignInStep;
    }
  /** So many connections have ended since it said so last. */
  | { readonly kind: 'closed'; readonly count: number }
  /** The file of the embedded store is damaged. It has said so itself. */
  | { readonly kind: 'corrupt' };

/** What the process that owns the embedded store says. */
export type FromStoreOwner =
  | { readonly kind: 'ready' }
  | { readonly kind: 'page'; readonly id: number; readonly text: string }
  | { readonly kind: 'corrupt' };

/** Asks a process to show a page. */
interface Show {
  readonly kind: 'show';
  readonly id: number;
  readonly page: string;
}

/** The process that owns the store asks for no pages, so it gets none. */
export type ToStoreOwner = Show;

export type ToWorker =
  | Show
  | { readonly kind: 'pages'; readonly id: number; readonly pages: readonly WorkerPage[] }
  /** What becomes of an attempt: undefined seconds, and it goes on. */
  | { readonly kind: 'wait'; readonly id: number; readonly seconds?: number | undefined };
