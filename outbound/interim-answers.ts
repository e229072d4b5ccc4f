import type { ClientRequest } from 'node:http';

/** Answers 1xx before the answer itself: servers send one or two. */
const MAX_INTERIM_ANSWERS = 16;

/** Gives a request up whose server sends interim answers without end: Node reads them as fast as they come. */
export function limitInterimAnswers(sent: ClientRequest): void {
  let count = 0;
  sent.on('information', () => {
    if (++count <= MAX_INTERIM_ANSWERS) return;
    sent.destroy(new Error(`there are more than ${MAX_INTERIM_ANSWERS} answers 1xx`));
  });
}
