import type { JSX } from 'preact';
import { at, entriesAt, isMap, listAt, shortText, textAt, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { Copy } from '../parts/copy.tsx';
import { useReading } from '../parts/reading.ts';
import { Moment } from '../parts/time.tsx';
import { kindSchema } from '../schema/documents.ts';
import { propertyOf } from '../schema/schema.ts';
import { Conditions } from './conditions.tsx';
import { Events } from './events.tsx';
import { Family } from './family.tsx';
import { LongText } from './long-text.tsx';
import { Scale } from './scale.tsx';
import { isSecret, SecretData } from './secret-data.tsx';
import { Value } from './value.tsx';

const SHOWN_ELSEWHERE = new Set(['apiVersion', 'kind', 'metadata']);

/** An object by its schema, with its conditions, its family and its events. */
export function Summary({
  kind,
  object,
}: {
  readonly kind: Kind;
  readonly object: Json;
}): JSX.Element {
  const { state } = useReading(() => kindSchema(kind), [kind]);
  const { schema, schemas = {} } = state.value.value ?? {};
  // the schema says which values are hidden
  const isReady = state.value.value !== undefined || state.value.error !== undefined;
  const parts = isReady ? entriesAt(object).filter(([key]) => !SHOWN_ELSEWHERE.has(key)) : [];
  return (
    <div class="summary">
      <div class="column">
        <Conditions object={object} />
        {parts.map(([key, value]) => (
          <Part key={key} title={key} value={value}>
            {key === 'data' && isSecret(kind) ? (
              <SecretData data={value} />
            ) : (
              <Value
                value={key === 'status' ? withoutConditions(value) : value}
                schema={propertyOf(schema, key, schemas)}
                schemas={schemas}
                label={key}
              />
            )}
          </Part>
        ))}
      </div>
      <div class="column">
        <Scale kind={kind} object={object} />
        <Facts object={object} />
        <Family kind={kind} object={object} />
        <Events object={object} />
      </div>
    </div>
  );
}

function Part({
  title,
  value,
  children,
}: {
  readonly title: string;
  readonly value: Json;
  readonly children: JSX.Element;
}): JSX.Element | null {
  const rest = title === 'status' ? withoutConditions(value) : value;
  if (isMap(rest) && Object.keys(rest).length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function withoutConditions(value: Json): Json {
  if (!isMap(value)) return value;
  const { conditions: _, ...rest } = value;
  return rest;
}

function Facts({ object }: { readonly object: Json }): JSX.Element {
  const metadata = at(object, 'metadata') ?? {};
  const labels = entriesAt(metadata, 'labels');
  const annotations = entriesAt(metadata, 'annotations');
  const uid = textAt(metadata, 'uid');
  const deleted = textAt(metadata, 'deletionTimestamp');
  const finalizers = listAt(metadata, 'finalizers');
  return (
    <section class="card">
      <h2>Metadata</h2>
      <dl class="fields">
        <div>
          <dt>Created</dt>
          <dd>
            <Moment time={textAt(metadata, 'creationTimestamp')} />
          </dd>
        </div>
        {deleted !== '' && (
          <div>
            <dt>Deletion</dt>
            <dd>
              <Moment time={deleted} />
            </dd>
          </div>
        )}
        {finalizers.length > 0 && (
          <div>
            <dt>Finalizers</dt>
            <dd class="chips">
              {finalizers.map((each, i) => (
                <span key={i} class="chip">
                  {shortText(each)}
                </span>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>UID</dt>
          <dd class="with-copy">
            <code>{uid}</code> <Copy text={uid} label="the UID" />
          </dd>
        </div>
        <div>
          <dt>Revision</dt>
          <dd>{textAt(metadata, 'resourceVersion')}</dd>
        </div>
        {at(metadata, 'generation') !== undefined && (
          <div>
            <dt>Generation</dt>
            <dd>{shortText(at(metadata, 'generation'))}</dd>
          </div>
        )}
        <Pairs title="Labels" pairs={labels} />
        <Pairs title="Annotations" pairs={annotations} />
      </dl>
    </section>
  );
}

function Pairs({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: readonly [string, Json][];
}): JSX.Element | null {
  if (pairs.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      <dd class="chips">
        {pairs.map(([key, value]) => (
          <Pair key={key} name={key} value={shortText(value)} />
        ))}
      </dd>
    </div>
  );
}

/** Longer values are folded. */
const MOST_CHARACTERS = 300;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function Pair({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  if (value.length > MOST_CHARACTERS || name === LAST_APPLIED) {
    return (
      <div class="folded">
        <span class="dim">{name}</span>
        <LongText text={value} label={name} hasPreview={false} />
      </div>
    );
  }
  return (
    <span class="chip pair" title={`${name}=${value}`}>
      <span class="dim">{name}</span> {value}
    </span>
  );
}
