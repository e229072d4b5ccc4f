import { isStoreError } from '../errors.ts';
import type { CheckAnswer, CheckJob, CheckReport } from './check-messages.ts';
import { checkObjects } from './check-objects.ts';
import { Environment } from './environment.ts';
import { DEFAULT_MAX_BYTES } from './open.ts';

const NOTHING: CheckReport = { objects: 0, damaged: [] };

async function answerOf(job: CheckJob): Promise<CheckAnswer> {
  try {
    await readPages(job.file);
    if (!('directory' in job)) return { report: NOTHING };
    return { report: await checkObjects(job.directory, job) };
  } catch (error) {
    if (isStoreError(error)) return { failed: { code: error.code, message: error.message } };
    const why = error instanceof Error ? error.message : String(error);
    const message = `the data file ${job.file} cannot be read: ${why.split('\n')[0]}`;
    return { failed: { code: 'corrupt', message } };
  }
}

/** @throws StoreError `corrupt` */
async function readPages(file: string): Promise<void> {
  let environment: Environment;
  try {
    environment = new Environment(file, DEFAULT_MAX_BYTES * 2, { readOnly: true });
  } catch (error) {
    if (isStoreError(error)) throw error;
    // A file without tables, from a process that ended at its first start: the process that opens it makes them.
    return;
  }
  try {
    environment.readAll();
  } finally {
    await environment.close();
  }
}

/** The process that is started by `check.ts`. It ends with the process that started it. */
process.on('disconnect', () => process.exit());
process.once('message', (job) => {
  void answerOf(job as CheckJob).then((answer) =>
    process.send?.(answer, undefined, undefined, () => process.disconnect()),
  );
});
