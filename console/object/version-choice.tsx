import type { JSX } from 'preact';
import { apiVersionOf, type Kind } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { definedVersions, definitionOf } from '../schema/definition.ts';
import { versionsOf } from '../state/catalog.ts';
import { go } from '../state/place.ts';

/** The version that a page shows a kind in, and the way to the others that are served. */
export function VersionChoice({
  kind,
  hashOf,
}: {
  readonly kind: Kind;
  /** The address of the same page in another version. */
  readonly hashOf: (other: Kind) => string;
}): JSX.Element {
  const versions = versionsOf(kind);
  const names = versions.map(({ version }) => version).join();
  const { state } = useReading(
    async () => (versions.length > 1 ? definitionOf(kind) : undefined),
    [kind.group, kind.plural, names],
  );
  if (versions.length < 2) return <span class="dim">{apiVersionOf(kind)}</span>;
  const defined = definedVersions(state.value.value);
  const noted = (version: string, isPreferred: boolean): string => {
    const own = defined.find(({ name }) => name === version);
    const notes = [
      ...(isPreferred ? ['preferred'] : []),
      ...(own?.isStored === true ? ['stored'] : []),
      ...(own?.isDeprecated === true ? ['deprecated'] : []),
    ];
    return notes.length === 0 ? version : `${version} (${notes.join(', ')})`;
  };
  return (
    <label class="version">
      <span class="dim">{kind.group}/</span>
      <select
        aria-label="Version"
        onChange={({ currentTarget: { value } }) => {
          const other = versions.find(({ version }) => version === value);
          if (other !== undefined) go(hashOf(other));
        }}
      >
        {versions.map(({ version }, i) => (
          <option key={version} value={version} selected={version === kind.version}>
            {noted(version, i === 0)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What the server warns of when it is asked in this version. */
export function Warnings({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <>
      {texts.map((text) => (
        <p key={text} class="banner" role="status">
          {text}
        </p>
      ))}
    </>
  );
}
