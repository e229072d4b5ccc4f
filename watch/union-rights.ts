import type { Revision } from '../api/revision.ts';
import { settled, type Coroutine } from './coroutine.ts';
import { rightsFrames } from './rights-frames.ts';
import type { Member } from './union-member.ts';
import type { Out } from './union-past.ts';

/** Shows how a member, all of whose events up to a revision have been sent, changes with the rights of its user. */
export function* followRights(
  member: Member,
  revision: Revision,
  { outlet, clock }: Out,
): Coroutine {
  const { scope, encoder } = member.request;
  if (scope.rights === undefined) return;
  const items = member.collection.itemsAt(revision);
  const standing = { encoder, scope, items, revision, clock };
  const frames = rightsFrames(scope.rights, standing);
  for (;;) {
    const { value, done } = yield* settled(frames.next());
    if (done === true || !member.isOpen) return;
    outlet.write(member.named(value));
    if (outlet.full) yield outlet.room();
  }
}
