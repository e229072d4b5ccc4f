import { DEFAULT_SERVICE_ACCOUNT } from '../../api/naming.ts';
import { nextTurn } from '../../api/turn.ts';
import { isTerminating } from '../../registry/namespaces.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';
import { relativeKey } from '../../storage/keys.ts';
import { attemptEach } from '../attempt-each.ts';
import { SERVICE_ACCOUNTS_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import type { LoopWriter } from '../writer.ts';

const PERIOD_MS = 60_000;
/** Wakes come with every change of a namespace or an account: so long they gather. */
const REST_MS = 250;
/** Accounts that one step makes; the rest is left to the next one. */
const MAX_WRITES = 100;
/** Namespaces that are looked at before others have their turn. */
const NAMESPACES_PER_TURN = 1_000;

/**
 * Makes the ServiceAccount `default` in each namespace that is not being deleted,
 * and makes it again after a delete. Source: behaviours 9.21.
 */
export function defaultAccountLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const { replica } = parts.reader;
  /** Where the next step begins: namespaces that refuse the account do not keep others from theirs. */
  let from = '';

  const isOpen = (namespace: string): boolean => {
    const entry = replica.collection(NAMESPACES_PREFIX).items.get(namespace);
    return entry !== undefined && !entry.corrupt && !isTerminating(entry);
  };

  /** Namespaces without the account, at most one more than a step makes. */
  const lacking = async (): Promise<string[]> => {
    const namespaces = replica.collection(NAMESPACES_PREFIX).items.snapshot();
    const accounts = replica.collection(SERVICE_ACCOUNTS_PREFIX).items.snapshot();
    const found: string[] = [];
    let looked = 0;
    for (const { name } of namespaces.range(from)) {
      if (++looked % NAMESPACES_PER_TURN === 0) await nextTurn();
      if (accounts.get(relativeKey(name, DEFAULT_SERVICE_ACCOUNT)) !== undefined) continue;
      if (isOpen(name)) found.push(name);
      if (found.length > MAX_WRITES) break;
    }
    return found;
  };

  const make = async (namespace: string, signal: AbortSignal): Promise<void> => {
    const resource = parts.catalog.findStored('', 'serviceaccounts');
    if (resource === undefined) throw new Error('the kind of service accounts is missing');
    const metadata = { name: DEFAULT_SERVICE_ACCOUNT, namespace };
    try {
      await writer.create(resource, { metadata }, signal);
    } catch (error) {
      // it may have been deleted meanwhile: then nothing is missing
      if (isOpen(namespace)) throw error;
    }
  };

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const found = await lacking();
    const due = found.slice(0, MAX_WRITES);
    from = found[MAX_WRITES] ?? '';
    await attemptEach(due, { signal, width: 4 }, (namespace) => make(namespace, signal));
    return { summary: `${due.length} made`, again: from !== '' };
  };

  return {
    name: 'default-accounts',
    periodMs: PERIOD_MS,
    wokenBy: [NAMESPACES_PREFIX, SERVICE_ACCOUNTS_PREFIX],
    restMs: REST_MS,
    elected: true,
    step,
  };
}
