import type { EmbeddedOptions } from './embedded/open.ts';
import type { EtcdOptions } from './etcd/open.ts';
import type { Store } from './interface.ts';

export type StoreOptions =
  | ({ readonly kind: 'etcd' } & EtcdOptions)
  | ({ readonly kind: 'embedded' } & EmbeddedOptions)
  /** The embedded store that another process owns. */
  | ({ readonly kind: 'shared' } & EmbeddedOptions);

/**
 * Opens the store that the options name. Only that one's libraries are loaded.
 *
 * @throws StoreError whose message is one line for the user
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  switch (options.kind) {
    case 'etcd': {
      const { openEtcdStore } = await import('./etcd/open.ts');
      return openEtcdStore(options);
    }
    case 'embedded': {
      const { openEmbeddedStore } = await import('./embedded/open.ts');
      return openEmbeddedStore(options);
    }
    case 'shared': {
      const { openSharedStore } = await import('./shared/open.ts');
      return openSharedStore(options);
    }
  }
}
