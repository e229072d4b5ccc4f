import type { JSX } from 'preact';
import { groupResource } from '../api/kind.ts';
import { isDefinition, isNamespace, type Consequences } from './consequences.ts';
import type { Descendants } from './descendants.ts';
import type { Way } from './going.ts';
import type { Instances } from './instances.ts';
import { countsOf, totalOf, type KindCount } from './kind-counts.ts';
import type { Unread } from '../api/lists.ts';
import { counted, numberText } from '../parts/numbers.ts';

interface GoingListsProps {
  readonly way: Way;
  /** One object is deleted, not several. */
  readonly isOne: boolean;
  /** Where all of them are; empty: in none, or in several. */
  readonly namespace: string;
  readonly found: Consequences;
}

/** What goes and what stays, by kind, and what is not known. */
export function GoingLists({ way, isOne, namespace, found }: GoingListsProps): JSX.Element {
  const { contents, instances, ofInstances, owned } = found;
  const them = isOne ? 'it' : 'them';
  return (
    <>
      {contents !== undefined && contents.counts.length > 0 && (
        <div>
          <p>In the {isOne ? 'namespace' : 'namespaces'}:</p>
          <Counts label="In the namespace" counts={contents.counts} />
        </div>
      )}
      {instances.length > 0 && (
        <ul class="paths">
          {instances.map((each, i) => (
            <li key={i}>{instancesText(each)}</li>
          ))}
        </ul>
      )}
      {ofInstances.going.length > 0 && (
        <Owned what="Owned by these objects" of={ofInstances} namespace="" />
      )}
      {way !== 'Orphan' && owned.going.length > 0 && (
        <Owned what={`Owned by ${them}`} of={owned} namespace={namespace} />
      )}
      {way === 'Orphan' && owned.direct.length > 0 && (
        <div>
          <p>
            What {isOne ? 'it owns' : 'they own'} stays, without this owner:{' '}
            {owned.isMore ? 'at least ' : ''}
            {counted(owned.direct.length, 'object')}, and all that these own.
          </p>
          <Counts label="What stays" counts={countsOf(owned.direct, namespace)} />
        </div>
      )}
      {way !== 'Orphan' && owned.shared.length > 0 && (
        <div>
          <p>These have other owners as well, and stay as long as those are there:</p>
          <Counts label="What stays with other owners" counts={countsOf(owned.shared, namespace)} />
        </div>
      )}
    </>
  );
}

function Owned({
  what,
  of: { going, generations, isMore },
  namespace,
}: {
  readonly what: string;
  readonly of: Descendants;
  readonly namespace: string;
}): JSX.Element {
  const isHolder = going.some(({ kind }) => isNamespace(kind) || isDefinition(kind));
  return (
    <div>
      <p>
        {what}
        {generations > 1 ? `, through ${generations} generations` : ''}:
      </p>
      <Counts label={what} counts={countsOf(going, namespace)} />
      {isMore && <p class="dim">There are more; the search ended here.</p>}
      {isHolder && <p>The namespaces and definitions among them go with all that they hold.</p>}
    </div>
  );
}

function Counts({
  label,
  counts,
}: {
  readonly label: string;
  readonly counts: readonly KindCount[];
}): JSX.Element {
  return (
    <ul class="names counts" tabIndex={0} aria-label={`${label}: ${totalOf(counts)}`}>
      {counts.map(({ kind, count, names }) => (
        <li key={groupResource(kind)}>
          {numberText(count)} {kind.kind}{' '}
          <span class="dim">
            {names.join(', ')}
            {count > names.length && ` and ${numberText(count - names.length)} more`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function instancesText({ kind, count, isPart, where }: Instances): string {
  if (kind === undefined) {
    return 'The server does not serve the kind now: how many objects of it exist is unknown. All of them go.';
  }
  const name = kind.kind;
  if (count === undefined) {
    return `How many objects of the kind ${name} exist is unknown, since you may not list them. All of them go.`;
  }
  if (count === 0) return `No object of the kind ${name} exists.`;
  const objects = `${counted(count, 'object')} of the kind ${name}`;
  const places = where === '' ? '' : `, in ${where}`;
  return isPart
    ? `You may see ${objects}${places}. All others of this kind go, too.`
    : `${objects}${places}.`;
}

/** Kinds that are named when they could not be read. */
const MOST_NAMED = 6;

/** What could not be read, and why. */
export function NotRead({ unread }: { readonly unread: Unread }): JSX.Element | null {
  const { forbidden, elsewhere } = unread;
  if (forbidden.length + elsewhere.length === 0) return null;
  return (
    <div class="dim">
      {forbidden.length > 0 && <p>Unknown, since you may not list them: {named(forbidden)}.</p>}
      {elsewhere.length > 0 && (
        <p>Unknown, since this server does not keep them: {named(elsewhere)}.</p>
      )}
    </div>
  );
}

function named(kinds: readonly string[]): string {
  const rest = kinds.length - MOST_NAMED;
  // one more takes no more room than its number
  if (rest <= 1) return kinds.join(', ');
  return `${kinds.slice(0, MOST_NAMED).join(', ')} and ${rest} more kinds`;
}
