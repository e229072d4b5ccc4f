import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Unreachable } from '../api/http.ts';
import { textAt } from '../api/json.ts';
import { groupResource, type Kind } from '../api/kind.ts';
import { Copy } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Age } from '../parts/time.tsx';
import { go } from '../state/place.ts';
import { may } from '../state/rights.ts';
import { objectHash, tableHash } from '../state/route.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditTab } from './edit-tab.tsx';
import { Holds } from './holds.tsx';
import { Managers } from './managers.tsx';
import { ObjectModel } from '../state/object-model.ts';
import { Summary } from './summary.tsx';
import { VersionChoice, Warnings } from './version-choice.tsx';
import { YamlTab } from './yaml-tab.tsx';

interface ObjectViewProps {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly tab: string;
}

const TABS = [
  ['summary', 'Summary'],
  ['yaml', 'YAML'],
  ['managers', 'Managed fields'],
  ['holds', 'Deletion'],
] as const;

/** The YAML with the managed fields. */
const WHOLE = 'whole';
/** The YAML in the editor. */
const EDIT = 'edit';

const isTab = (id: string): boolean =>
  id === WHOLE || id === EDIT || TABS.some(([known]) => known === id);

/** The page of an object. */
export function ObjectView({ kind, namespace, name, tab: asked }: ObjectViewProps): JSX.Element {
  const tab = isTab(asked) ? asked : 'summary';
  const model = useMemo(
    () => new ObjectModel(kind, namespace, name),
    [kind.group, kind.version, kind.plural, namespace, name],
  );
  useEffect(() => () => model.close(), [model]);
  const hash = (id: string): string => objectHash(kind, namespace, name, id);
  return (
    <section class="object-view" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">
          <span class="kind">{kind.kind}</span> {name}
        </h1>
        <Copy text={name} label="the name" />
        <span class="grow" />
        <Actions model={model} edit={tab === EDIT ? undefined : () => go(hash(EDIT))} />
      </header>
      <p class="dim under-title">
        <VersionChoice
          key={groupResource(kind)}
          kind={kind}
          hashOf={(other) => objectHash(other, namespace, name, tab)}
        />
        {namespace !== '' && (
          <>
            {' · '}
            <a href={tableHash(kind, { namespace })}>{namespace}</a>
          </>
        )}
      </p>
      <Warnings texts={model.warnings.value} />
      <Tabs
        label="Parts of the object"
        tabs={TABS}
        chosen={tab === EDIT || tab === WHOLE ? 'yaml' : tab}
        hashOf={hash}
      />
      <Content
        model={model}
        tab={tab}
        hashOf={hash}
        leave={() => go(hash('yaml'))}
        show={(isWhole) => go(hash(isWhole ? WHOLE : 'yaml'))}
      />
    </section>
  );
}

interface ContentProps {
  readonly model: ObjectModel;
  readonly tab: string;
  /** The address of a tab. */
  readonly hashOf: (tab: string) => string;
  readonly leave: () => void;
  /** Shows the YAML, with the managed fields or without. */
  readonly show: (isWhole: boolean) => void;
}

function Content({ model, tab, hashOf, leave, show }: ContentProps): JSX.Element {
  const { kind, object, error, isGone } = model;
  const value = object.value;
  // what was read, and typed, stays while the server is away
  const isKept = error.value instanceof Unreachable && value !== undefined;
  if (error.value !== undefined && !isKept)
    return <Failure error={error.value} retry={() => void model.read()} />;
  if (value === undefined) return <Loading />;
  const since = textAt(value, 'metadata', 'deletionTimestamp');
  const gone = isGone.value && (
    <p class="banner" role="status">
      <Icon name="trash" /> This object was deleted. What you see is its last state.
    </p>
  );
  return (
    <>
      {gone}
      {since !== '' && !isGone.value && tab !== 'holds' && (
        <p class="banner" role="status">
          <Icon name="trash" /> It is being deleted, for <Age time={since} />.{' '}
          <a href={hashOf('holds')}>Show what holds it</a>
        </p>
      )}
      {isKept && (
        <p class="banner" role="status">
          <Icon name="warning" /> The server does not answer. What you see is the last state that it
          showed; what you have typed stays.
        </p>
      )}
      {(tab === 'yaml' || tab === WHOLE) && (
        <YamlTab model={model} isWhole={tab === WHOLE} show={show} />
      )}
      {tab === EDIT && <EditTab model={model} leave={leave} />}
      {tab === 'managers' && <Managers object={value} />}
      {tab === 'holds' && !isGone.value && <Holds kind={kind} object={value} />}
      {tab === 'holds' && isGone.value && (
        <Notice title="Nothing holds the deletion">It is done: the object is gone.</Notice>
      )}
      {tab === 'summary' && <Summary kind={kind} object={value} />}
    </>
  );
}

function Actions({
  model,
  edit,
}: {
  readonly model: ObjectModel;
  /** Undefined while it is edited. */
  readonly edit: (() => void) | undefined;
}): JSX.Element {
  const isDeleting = useSignal(false);
  const { kind, namespace, name, object, isGone } = model;
  const uid = textAt(object.value, 'metadata', 'uid');
  return (
    <>
      {edit !== undefined && may('patch', kind, namespace, name) && !isGone.value && uid !== '' && (
        <button type="button" onClick={edit}>
          <Icon name="edit" /> <span>Edit</span>
        </button>
      )}
      {may('delete', kind, namespace, name) && !isGone.value && uid !== '' && (
        <button type="button" class="danger" onClick={() => (isDeleting.value = true)}>
          <Icon name="trash" /> <span>Delete</span>
        </button>
      )}
      {isDeleting.value && (
        <DeleteDialog
          kind={kind}
          targets={[{ namespace, name, uid }]}
          close={() => (isDeleting.value = false)}
        />
      )}
    </>
  );
}
