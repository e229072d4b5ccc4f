import { OLDEST_EMULATION_VERSION } from '../../resources/coordination/strategy.ts';
import { expiresAt, type LeaseRecord } from '../election/lease-record.ts';
import { isEligible, VALID_MS, type Candidate } from './candidate.ts';
import { chooseOldest, chooseStrategy } from './choice.ts';

/** How long candidates have to answer a ping, and for how long an answer shows that they live. */
const ELECTION_MS = 5_000;
/** All candidates are pinged so often, that living ones are not taken for dead. */
const PING_MS = VALID_MS / 2;
/** While candidates disagree, they are asked so often whether they still live. */
const DISAGREEMENT_MS = 60_000;

/** What the Lease is to say. */
export type LeaseChange =
  /** Another than this server decides: only the strategy is put there. */
  | { readonly set: 'strategy'; readonly strategy: string }
  /** The Lease has no holder, or its holder has let it expire. */
  | { readonly set: 'holder'; readonly holder: string }
  /** The holder lives: it is asked to yield; undefined: it is the best one after all. */
  | { readonly set: 'preferred'; readonly preferred: string | undefined };

interface Verdict {
  readonly pings: readonly Candidate[];
  readonly change?: LeaseChange;
  /** Candidates do not agree: for people. */
  readonly problem?: string;
  /** When to look again if nothing changes; Infinity: never. */
  readonly againAfterMs: number;
}

/**
 * What to do for a Lease with these candidates. Compares the times that
 * candidates wrote with this server's clock, as candidates expect.
 * Source: behaviours 9.9.
 */
export function verdictOn(
  all: readonly Candidate[],
  lease: LeaseRecord | undefined,
  now: number,
): Verdict {
  const candidates = all.filter((candidate) => isEligible(candidate, now));
  if (candidates.length === 0) return { pings: [], againAfterMs: Infinity };
  if (isSettled(candidates, lease, now)) {
    return { pings: [], againAfterMs: untilUnsettled(candidates, lease, now) };
  }
  const pings = candidates.filter((candidate) => needsPing(candidate, now));
  const deadlines = candidates.map((candidate) => answerDeadline(candidate, now));
  const waitMs = Math.max(0, ...deadlines, pings.length > 0 ? ELECTION_MS : 0);
  if (waitMs > 0) return { pings, againAfterMs: waitMs };
  return elect(candidates, lease, now);
}

function elect(
  candidates: readonly Candidate[],
  lease: LeaseRecord | undefined,
  now: number,
): Verdict {
  const none = { pings: [], againAfterMs: ELECTION_MS };
  const living = candidates.filter((candidate) => hasAnswered(candidate, now));
  if (living.length === 0) return none;
  const choice = chooseStrategy(living);
  if ('disagreement' in choice) {
    return { ...none, problem: choice.disagreement, againAfterMs: DISAGREEMENT_MS };
  }
  const change = changeOf(living, choice.strategy, lease, now);
  return change === undefined ? none : { ...none, change };
}

function changeOf(
  living: readonly Candidate[],
  strategy: string,
  lease: LeaseRecord | undefined,
  now: number,
): LeaseChange | undefined {
  if (strategy !== OLDEST_EMULATION_VERSION) {
    return lease?.strategy === strategy ? undefined : { set: 'strategy', strategy };
  }
  const best = chooseOldest(living)?.name;
  if (best === undefined) return undefined;
  if (lease === undefined || lease.holder === '' || expiresAt(lease) < now) {
    return { set: 'holder', holder: best };
  }
  const preferred = lease.holder === best ? undefined : best;
  const isSaid = lease.preferredHolder === preferred && lease.strategy === strategy;
  return isSaid ? undefined : { set: 'preferred', preferred };
}

/** Is nothing to be decided: does the best one hold the lease, as far as can be told without asking? */
function isSettled(
  candidates: readonly Candidate[],
  lease: LeaseRecord | undefined,
  now: number,
): boolean {
  if (lease === undefined) return false;
  if (candidates.some(({ renewedAt = 0 }) => renewedAt + PING_MS < now)) return false;
  const answering = candidates.filter((candidate) => !isSilent(candidate, now));
  const choice = chooseStrategy(answering);
  // who disagrees is told so by the election
  if ('disagreement' in choice || choice.strategy !== lease.strategy) return false;
  if (choice.strategy !== OLDEST_EMULATION_VERSION) return true;
  if (lease.holder === '' || expiresAt(lease) < now) return false;
  const best = chooseOldest(answering)?.name;
  if (best === undefined) return true;
  return best === lease.holder
    ? lease.preferredHolder === undefined
    : best === lease.preferredHolder;
}

function untilUnsettled(
  candidates: readonly Candidate[],
  lease: LeaseRecord | undefined,
  now: number,
): number {
  const isOurs = lease?.strategy === OLDEST_EMULATION_VERSION;
  const expiry = lease !== undefined && isOurs ? expiresAt(lease) : Infinity;
  const pings = candidates.map(({ renewedAt = 0 }) => renewedAt + PING_MS);
  return Math.max(0, Math.min(expiry, ...pings) - now) + 1;
}

function isFresh({ renewedAt = 0 }: Candidate, now: number): boolean {
  return renewedAt + ELECTION_MS > now;
}

/** It was asked whether it lives and has not answered (yet). */
function isAsked({ pingedAt, renewedAt = 0 }: Candidate): boolean {
  return pingedAt !== undefined && renewedAt < pingedAt;
}

/** It was asked, and had its time to answer. */
function isSilent(candidate: Candidate, now: number): boolean {
  return isAsked(candidate) && answerDeadline(candidate, now) <= 0;
}

/** How long it may still take to answer. */
function answerDeadline(candidate: Candidate, now: number): number {
  return isAsked(candidate) ? (candidate.pingedAt ?? 0) + ELECTION_MS - now : 0;
}

/** One that has not answered is not asked again: it shows by itself that it lives. */
function needsPing(candidate: Candidate, now: number): boolean {
  return !isFresh(candidate, now) && !isAsked(candidate) && !hasAnswered(candidate, now);
}

/** It renewed a moment ago, or for the ping of this election: the others may have taken their time. */
function hasAnswered(candidate: Candidate, now: number): boolean {
  const { pingedAt = -Infinity, renewedAt = 0 } = candidate;
  if (isFresh(candidate, now)) return true;
  return renewedAt >= pingedAt && pingedAt + 2 * ELECTION_MS > now;
}
