import { workerData } from 'node:worker_threads';
import { systemClock } from '../../api/clock.ts';
import { NO_REVISION } from '../../api/revision.ts';
import type { ListResult, StoredItem } from '../interface.ts';
import type { PageJob } from '../page-messages.ts';
import { PageSender } from '../page-sender.ts';
import { isAsStored } from '../stored-check.ts';
import { Authenticator } from './authenticator.ts';
import { Cluster } from './cluster.ts';
import { H2Client } from './h2-client.ts';
import { KeySpace } from './key-space.ts';
import { Lineage } from './lineage.ts';
import type { RangeJob } from './range-pages.ts';
import { Reader } from './reader.ts';

/*
 * Runs in a thread of its own: reads page after page over connections of its own,
 * one more while those before are taken, and compares what it reads with what a
 * server writes, so that the thread of the server need not.
 */

/** A page of etcd goes on in parts of so many objects or so many bytes. */
const PART_ITEMS = 400;
const PART_BYTES = 512 * 1024;
/** Parts that wait to be taken: 8 MiB together, or so many large objects. */
const PARTS_AHEAD = 16;

async function readOn(sender: PageSender, job: PageJob & RangeJob): Promise<void> {
  const { endpoints, tls, auth, prefix, clusterId, revision, after } = job;
  const clients = endpoints.map((endpoint) => new H2Client(endpoint, tls));
  const cluster = new Cluster(clients, new Authenticator(auth), systemClock);
  try {
    const lineage = new Lineage();
    lineage.observe({ clusterId, revision }, NO_REVISION);
    const reader = new Reader(cluster, new KeySpace(prefix), lineage);
    const follow = (last: string): Promise<ListResult> => {
      const signal = sender.over;
      const page = reader.list({ prefix: '', limit: 'page', revision, after: last, signal });
      // It may fail while those before it are sent; it is waited for after that.
      page.catch(() => undefined);
      return page;
    };
    let next: Promise<ListResult> | undefined = follow(after);
    while (next !== undefined) {
      const page: ListResult = await next;
      const last = page.items.at(-1);
      next = page.more && last !== undefined ? follow(last.key) : undefined;
      for (const part of partsOf(page)) if (!(await sender.page(part))) return;
    }
  } finally {
    cluster.close();
  }
}

/** At least one. */
function* partsOf({ revision, items, more }: ListResult): Generator<ListResult> {
  let start = 0;
  do {
    const end = endOfPart(items, start);
    const part = items.slice(start, end);
    const checked = part.every(({ value }) => isAsStored(value));
    yield { revision, items: part, more: more || end < items.length, checked };
    start = end;
  } while (start < items.length);
}

function endOfPart(items: readonly StoredItem[], start: number): number {
  let end = start;
  for (let bytes = 0; end < items.length && end - start < PART_ITEMS && bytes < PART_BYTES; end++) {
    bytes += items[end]?.value.length ?? 0;
  }
  return end;
}

const job = workerData as PageJob & RangeJob;
const sender = new PageSender(PARTS_AHEAD, job);
await sender.run(() => readOn(sender, job));
