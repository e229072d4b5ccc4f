import type { Consequences } from './consequences.ts';
import { totalOf } from './kind-counts.ts';
import { counted } from '../parts/numbers.ts';
import { unreadOf, type Unread } from '../api/lists.ts';

/** What becomes of what an object owns, as the API names it. */
export type Way = 'Background' | 'Foreground' | 'Orphan';

/** The answer to the question that a dialog of deletion asks. */
interface Going {
  /** One sentence: how many objects go. */
  readonly sentence: string;
  /** Objects that go since others own them. */
  readonly followers: number;
  readonly unread: Unread;
}

/** What goes with one object, or with several, when it is deleted in this way. */
export function goingBy(way: Way, isOne: boolean, found: Consequences): Going {
  const { contents, instances, ofInstances, owned, isPart } = found;
  const unread = unreadOf([
    ...[ofInstances.unread, owned.unread],
    ...(contents === undefined ? [] : [contents.unread]),
  ]);
  const follows = way === 'Orphan' ? [ofInstances] : [ofInstances, owned];
  const followers = follows.reduce((sum, { going }) => sum + going.length, 0);
  const isUnknown =
    (way !== 'Orphan' && isUnread(owned.unread)) ||
    (contents !== undefined && isUnread(contents.unread)) ||
    isUnread(ofInstances.unread) ||
    instances.some(({ count }) => count === undefined);
  const isMore =
    isPart ||
    follows.some((each) => each.isMore) ||
    instances.some((each) => each.isPart && each.count !== undefined);
  const total =
    followers +
    totalOf(contents?.counts ?? []) +
    instances.reduce((sum, { count = 0 }) => sum + count, 0);
  return {
    sentence: sentenceOf(total, isOne ? 'it' : 'them', isUnknown, isMore),
    followers,
    unread,
  };
}

/** Whether there are kinds that could not be read. */
export function isUnread({ forbidden, elsewhere }: Unread): boolean {
  return forbidden.length + elsewhere.length > 0;
}

function sentenceOf(total: number, them: string, isUnknown: boolean, isMore: boolean): string {
  if (total === 0) {
    return isUnknown || isMore
      ? `Whether other objects go with ${them} is not fully known.`
      : `Nothing else goes with ${them}.`;
  }
  const goes = total === 1 ? 'goes' : 'go';
  const least = isUnknown || isMore ? 'At least ' : '';
  return `${least}${counted(total, 'object')} ${goes} with ${them}.`;
}
