import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { textAt, type Json } from '../api/json.ts';
import { resourceName, sameResource, type Kind } from '../api/kind.ts';
import { Conditions } from '../object/conditions.tsx';
import { VersionChoice } from '../object/version-choice.tsx';
import { Copy } from '../parts/copy.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { definedVersions, definitionOf, DEFINITIONS, isCustom } from '../schema/definition.ts';
import { Documentation } from '../schema/documentation.tsx';
import { kindSchema } from '../schema/documents.ts';
import { fit } from '../shell/match.ts';
import { askPage } from '../state/place.ts';
import { kinds, versionsOf } from '../state/catalog.ts';
import { createHash, hashOf, objectHash, tableHash } from '../state/route.ts';
import { may } from '../state/rights.ts';

/** As in the sidebar. */
const LEAST_FIT = 99;

const kindHash = (kind: Kind, find = ''): string =>
  hashOf({ view: 'definitions', parameters: { kind: resourceName(kind), find } });

/** All kinds with their schemas as documentation; custom ones first. */
export function Definitions({
  parameters,
}: {
  readonly parameters: Readonly<Record<string, string>>;
}): JSX.Element {
  const { find = '', field = '' } = parameters;
  const all = (kinds.value ?? []).toSorted((a, b) => Number(isCustom(b)) - Number(isCustom(a)));
  const shown = all.filter(
    (kind) =>
      find === '' ||
      [kind.kind, kind.plural, kind.group].some((name) => fit(name, find) > LEAST_FIT),
  );
  const chosen = all
    .flatMap((kind) => versionsOf(kind))
    .find((kind) => resourceName(kind) === parameters.kind);
  const definitions = all.find(({ plural }) => plural === DEFINITIONS.plural);
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Definitions</h1>
        <span class="count">{all.filter(isCustom).length} custom</span>
        <span class="grow" />
        {definitions !== undefined && may('create', definitions) && (
          <a class="button primary" href={createHash(DEFINITIONS, '')}>
            Define a kind
          </a>
        )}
      </header>
      <div class={chosen === undefined ? 'split' : 'split chosen'}>
        <nav class="card list" aria-label="Kinds">
          <input
            type="search"
            id="find"
            placeholder="Find a kind"
            aria-label="Find a kind in the list"
            value={find}
            onInput={({ currentTarget }) => askPage({ find: currentTarget.value }, 'same')}
          />
          <ul data-scroll="list">
            {shown.map((kind) => (
              <li key={resourceName(kind)}>
                <a
                  href={kindHash(kind, find)}
                  aria-current={
                    chosen !== undefined && sameResource(kind, chosen) ? 'true' : undefined
                  }
                >
                  {kind.kind} <small class="dim">{kind.group === '' ? 'core' : kind.group}</small>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen === undefined ? (
          <Notice title="Choose a kind" icon="definitions">
            Its fields, their meaning, bounds and rules are shown here.
          </Notice>
        ) : (
          <Definition
            key={resourceName(chosen)}
            kind={chosen}
            field={field}
            listHash={hashOf({ view: 'definitions', parameters: { find } })}
          />
        )}
      </div>
    </section>
  );
}

function Definition({
  kind,
  field,
  listHash,
}: {
  readonly kind: Kind;
  /** The path of a field that is open, as `spec.template`. */
  readonly field: string;
  /** The address of the list of kinds, which hides where there is little room. */
  readonly listHash: string;
}): JSX.Element {
  const { state, again } = useReading(async () => {
    const [published, definition] = await Promise.all([kindSchema(kind), definitionOf(kind)]);
    return { published, definition };
  }, [kind]);
  const { value, error } = state.value;
  const head = useRef<HTMLHeadingElement>(null);
  const isRead = value !== undefined;
  useEffect(() => {
    // the link that had the focus hides with the list where there is little room
    if (isRead && document.activeElement === document.body) head.current?.focus();
  }, [isRead]);
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  const { published, definition } = value;
  return (
    <div class="column">
      <a class="only-list-hidden" href={listHash}>
        All kinds
      </a>
      <section class="card">
        <div class="page-head">
          <h2 ref={head} tabIndex={-1}>
            {kind.kind}
          </h2>
          <VersionChoice kind={kind} hashOf={(other) => kindHash(other)} />
        </div>
        <dl class="fields">
          <Fact name="Plural">
            <code>{kind.plural}</code> <Copy text={kind.plural} label="the plural" />
          </Fact>
          <Fact name="Short names">{kind.shortNames.join(', ') || 'none'}</Fact>
          <Fact name="Scope">{kind.namespaced ? 'in namespaces' : 'everywhere'}</Fact>
          <Fact name="Verbs">{[...kind.verbs].join(', ')}</Fact>
          <Fact name="Subresources">{kind.subresources.join(', ') || 'none'}</Fact>
          {definition !== undefined && <Fact name="Versions">{versionsText(definition)}</Fact>}
        </dl>
        <div class="buttons">
          {kind.verbs.has('list') && (
            <a class="button" href={tableHash(kind)}>
              Show the objects
            </a>
          )}
          {definition !== undefined && (
            <a
              class="button"
              href={objectHash(DEFINITIONS, '', textAt(definition, 'metadata', 'name'))}
            >
              Show the definition
            </a>
          )}
        </div>
      </section>
      {definition !== undefined && <Conditions object={definition} />}
      <section class="card">
        <h2>Fields</h2>
        <Documentation
          schema={published.schema}
          schemas={published.schemas}
          field={field}
          open={(path) => askPage({ field: path }, 'same')}
        />
      </section>
    </div>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: JSX.Element | string | (JSX.Element | string)[];
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="with-copy">{children}</dd>
    </div>
  );
}

function versionsText(definition: Json): string {
  return definedVersions(definition)
    .map(({ name, isServed, isStored, isDeprecated }) => {
      const notes = [
        isServed ? 'served' : 'not served',
        ...(isStored ? ['stored'] : []),
        ...(isDeprecated ? ['deprecated'] : []),
      ];
      return `${name} (${notes.join(', ')})`;
    })
    .join(', ');
}
