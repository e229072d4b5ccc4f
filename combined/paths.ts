import { eventFrame } from '../watch/frames.ts';
import type { Revision } from '../api/revision.ts';

/** What these answers and bookmarks are objects of; no resource is served in it. */
export const QUERY_API_VERSION = 'query.cluster.io/v1';

/** Says up to where everything has been sent, over all parts of a stream. */
export function bookmarkOf(revision: Revision): Buffer {
  const object = {
    ...{ kind: 'Bookmark', apiVersion: QUERY_API_VERSION },
    metadata: { resourceVersion: String(revision) },
  };
  return eventFrame('BOOKMARK', Buffer.from(JSON.stringify(object)));
}
