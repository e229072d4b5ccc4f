import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Environment } from './environment.ts';
import { Meta } from './meta.ts';
import { packPage, type PageAnswer, type PageJob, type PageRequest } from './page-messages.ts';
import { Reader } from './reader.ts';

/* Runs in a thread of its own: reads page after page, a few ahead of who takes them. */

/** Pages that wait to be taken: 2 MiB together, or so many large objects. */
const PAGES_AHEAD = 4;

let room = PAGES_AHEAD;
let isOver = false;
parentPort?.on('message', (request: PageRequest) => {
  if (request === 'taken') room++;
  else isOver = true;
});

async function readOn({ file, mapBytes, revision, after }: PageJob): Promise<void> {
  const environment = new Environment(file, mapBytes, { readOnly: true });
  try {
    const reader = new Reader(environment, new Meta(environment.tables.meta));
    for (let last: string | undefined = after; last !== undefined;) {
      const page = await reader.list({ prefix: '', limit: 'page', revision, after: last });
      while (room === 0 && !isOver)
        await once(parentPort as NonNullable<typeof parentPort>, 'message');
      if (isOver) return;
      room--;
      send(packPage(page));
      last = page.more ? page.items.at(-1)?.key : undefined;
    }
  } finally {
    await environment.close();
  }
}

function send(answer: PageAnswer): void {
  const parts = answer === 'failed' ? [] : [answer.bytes, answer.ends, answer.revisions];
  parentPort?.postMessage(
    answer,
    parts.map(({ buffer }) => buffer),
  );
}

await readOn(workerData as PageJob)
  .catch(() => send('failed'))
  .finally(() => parentPort?.close());
