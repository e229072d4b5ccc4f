import { signal } from '@preact/signals';
import { Unreachable } from '../api/http.ts';
import { areDraftsKept } from './drafts.ts';

const PAGE = '/console/';
/** In the storage of the tab: the builds that it has left without being asked to. */
const LEFT = 'plinth-left-builds';

/** The server has another build of the console than this page is of. */
export const isReplaced = signal(false);

/** The files that this page names; their names change with their content. */
const own = buildOf(
  [...document.querySelectorAll('script[src], link[href]')].map(
    (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '',
  ),
);

let isLeaving = false;
// Before the listeners of editors: what they would warn of is kept.
addEventListener('beforeunload', (event) => {
  if (isLeaving && areDraftsKept()) event.stopImmediatePropagation();
});

/** Finds out whether the server has another build by now; without an answer nothing changes. */
export function lookForBuild(): void {
  void look().catch(() => undefined);
}

/** Loads the page again; drafts stay. */
export function reloadPage(): void {
  isLeaving = true;
  location.reload();
}

/**
 * Loads a part of the console. The files of a build are gone with its server: where
 * a part of a former build cannot be loaded, the page itself is loaded again, once
 * for each build.
 *
 * @throws Unreachable, Error
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    // below
  }
  await look();
  // The server was away for a moment, or is incomplete.
  if (!isReplaced.value) return load();
  if (leave()) return new Promise<never>(() => undefined);
  throw new Error('The server has a new version of the console. Reload the page to go on.');
}

/** @throws Unreachable */
async function look(): Promise<void> {
  const answer = await fetch(PAGE, { cache: 'no-cache' }).catch((error: unknown) => {
    throw new Unreachable(error);
  });
  const page = answer.ok ? await answer.text() : '';
  const served = [...page.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
  // What stands between may answer a page of its own.
  if (served.length > 0) isReplaced.value = buildOf(served) !== own;
}

function buildOf(files: readonly string[]): string {
  return files.toSorted().join(' ');
}

/** Leaves this build, unless typed text would be lost or the tab has left it before. */
function leave(): boolean {
  if (!areDraftsKept() || document.querySelector('dialog[open]') !== null) return false;
  try {
    const left = sessionStorage.getItem(LEFT) ?? '';
    if (left.split('\n').includes(own)) return false;
    sessionStorage.setItem(LEFT, `${left}\n${own}`);
  } catch {
    // Without storage the page could be loaded again and again.
    return false;
  }
  reloadPage();
  return true;
}
