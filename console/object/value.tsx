import type { JSX } from 'preact';
import { isMap, shortText, type Json } from '../api/json.ts';
import { describe, propertyOf, itemOf, type Schema, type Schemas } from '../schema/schema.ts';
import { Ahead, localTime } from '../parts/time.tsx';
import { Hidden } from './hidden.tsx';
import { isLong, LongText } from './long-text.tsx';
import { numberText } from '../parts/numbers.ts';

interface ValueProps {
  readonly value: Json | undefined;
  readonly schema: Schema | undefined;
  readonly schemas: Schemas;
  /** The key or place of the value. */
  readonly label: string;
  readonly depth?: number;
}

/** Levels that are shown; what lies deeper stands in the YAML. */
const DEEPEST = 8;
/** Items of a list and keys of an object that are shown. */
const MOST = 100;

/** A value by its schema: fields with their descriptions as tool tips. */
export function Value({ value, schema, schemas, label, depth = 0 }: ValueProps): JSX.Element {
  if (value === undefined || value === null) return <span class="dim">none</span>;
  if (schema?.format === 'password' && typeof value !== 'object')
    return <Hidden text={shortText(value)} label={label} note="password" />;
  if (depth > DEEPEST) return <span class="dim">…</span>;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="dim">empty list</span>;
    const item = itemOf(schema, schemas);
    const isPlain = value.every((each) => typeof each !== 'object' || each === null);
    if (isPlain && item?.format !== 'password') {
      return (
        <span class="chips">
          {value.slice(0, MOST).map((each, i) => (
            <Chip key={i} text={String(each)} label={`${label} ${i + 1}`} />
          ))}
          <Rest count={value.length - MOST} />
        </span>
      );
    }
    return (
      <>
        <ol class="items">
          {value.slice(0, MOST).map((each, i) => (
            <li key={i}>
              <Value
                value={each}
                schema={item}
                schemas={schemas}
                label={`${label} ${i + 1}`}
                depth={depth + 1}
              />
            </li>
          ))}
        </ol>
        <Rest count={value.length - MOST} />
      </>
    );
  }
  if (isMap(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return <span class="dim">empty</span>;
    return (
      <>
        <dl class="fields">
          {entries.slice(0, MOST).map(([key, each]) => {
            const property = propertyOf(schema, key, schemas);
            const { description } = describe(property);
            return (
              <div key={key}>
                <dt title={description === '' ? undefined : description}>{key}</dt>
                <dd>
                  <Value
                    value={each}
                    schema={property}
                    schemas={schemas}
                    label={key}
                    depth={depth + 1}
                  />
                </dd>
              </div>
            );
          })}
        </dl>
        <Rest count={entries.length - MOST} />
      </>
    );
  }
  if (typeof value === 'string')
    return <Text value={value} label={label} isTime={schema?.format === 'date-time'} />;
  return <span class="literal">{String(value)}</span>;
}

function Chip({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return isLong(text) ? <LongText text={text} label={label} /> : <span class="chip">{text}</span>;
}

/** Says what is left out. */
function Rest({ count }: { readonly count: number }): JSX.Element | null {
  if (count <= 0) return null;
  return <p class="dim">and {numberText(count)} more: the YAML shows all</p>;
}

function Text({
  value,
  label,
  isTime,
}: {
  readonly value: string;
  readonly label: string;
  readonly isTime: boolean;
}): JSX.Element {
  if (value === '') return <span class="dim">empty</span>;
  if (isTime) {
    return (
      <time dateTime={value} title={value}>
        {localTime(value)}
        <Ahead time={value} />
      </time>
    );
  }
  if (isLong(value)) return <LongText text={value} label={label} />;
  return value.includes('\n') ? (
    <pre class="block">{value}</pre>
  ) : (
    <span class="text">{value}</span>
  );
}
