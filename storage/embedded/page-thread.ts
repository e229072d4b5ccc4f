import { workerData } from 'node:worker_threads';
import type { PageJob } from '../page-messages.ts';
import { PageSender } from '../page-sender.ts';
import { Environment } from './environment.ts';
import type { DataFile } from './file-pages.ts';
import { Meta } from './meta.ts';
import { Reader } from './reader.ts';

/* Runs in a thread of its own: reads page after page, a few ahead of who takes them. */

/** Pages that wait to be taken: 2 MiB together, or so many large objects. */
const PAGES_AHEAD = 4;

async function readOn(
  sender: PageSender,
  { file, mapBytes, revision, after }: PageJob & DataFile,
): Promise<void> {
  const environment = new Environment(file, mapBytes, { readOnly: true });
  try {
    const reader = new Reader(environment, new Meta(environment.tables.meta));
    for (let last: string | undefined = after; last !== undefined;) {
      const page = await reader.list({ prefix: '', limit: 'page', revision, after: last });
      if (!(await sender.page(page))) return;
      last = page.more ? page.items.at(-1)?.key : undefined;
    }
  } finally {
    await environment.close();
  }
}

const job = workerData as PageJob & DataFile;
const sender = new PageSender(PAGES_AHEAD, job);
await sender.run(() => readOn(sender, job));
