import type { Clock } from '../../api/clock.ts';
import type { ServiceAccountConfig } from '../../config/service-account-flags.ts';
import type { WatchedFiles } from '../../outbound/watched-file.ts';
import type { Store } from '../../storage/interface.ts';
import type { Replica } from '../../watch/replica.ts';
import { AccountTokens } from './account-tokens.ts';
import { Holders } from './lookup.ts';
import { ensureSigningKey, readKeyRing, type KeyRing } from './signing-keys.ts';

/** Tokens of service accounts, and what belongs to them. */
export interface Accounts {
  readonly issuer: string;
  readonly tokens: AccountTokens;
  readonly holders: Holders;
  readonly keys: () => KeyRing;
}

interface AccountsParts {
  readonly config: ServiceAccountConfig & {
    readonly dataDir: string;
    readonly apiAudiences: readonly string[];
  };
  readonly store: Store;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly onChange: (files: WatchedFiles, reload: () => void) => void;
}

/** @throws Error with one line for the operator */
export function accountsOf(parts: AccountsParts): Accounts {
  const { config, store, replica, clock, onChange } = parts;
  const issuer = config.serviceAccountIssuer;
  const signing = config.serviceAccountSigningKeyFile ?? ensureSigningKey(config.dataDir);
  const others = config.serviceAccountKeyFile;
  let ring = readKeyRing(signing, others);
  onChange([signing, ...others], () => void (ring = readKeyRing(signing, others)));
  const keys = (): KeyRing => ring;
  const holders = new Holders(store, replica);
  const audiences = config.apiAudiences.length === 0 ? [issuer] : config.apiAudiences;
  const tokens = new AccountTokens({ issuer, audiences, keys, holders, clock });
  return { issuer, tokens, holders, keys };
}
