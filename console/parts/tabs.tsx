import type { JSX } from 'preact';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [id: string, title: string])[];
  readonly chosen: string;
  readonly hashOf: (id: string) => string;
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, tabs, chosen, hashOf }: TabsProps): JSX.Element {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([id, title]) => (
        <a key={id} href={hashOf(id)} aria-current={id === chosen ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
