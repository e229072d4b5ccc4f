import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { isReplaced, reloadPage } from '../state/build.ts';

/** Says that the server has another build of the console; what is open stays usable. */
export function NewBuild(): JSX.Element {
  const isPutOff = useSignal(false);
  return (
    <div class="new-build" role="status">
      {isReplaced.value && !isPutOff.value && (
        <p class="banner">
          <span>
            The server has a new version of the console. Drafts stay when you reload the page.
          </span>
          <span class="buttons">
            <button type="button" onClick={reloadPage}>
              <Icon name="refresh" /> Reload
            </button>
            <button type="button" class="quiet" onClick={() => (isPutOff.value = true)}>
              Later
            </button>
          </span>
        </p>
      )}
    </div>
  );
}
