import type { Violation, Write } from './history.ts';
import type { Truth, TruthEvent } from './truth.ts';

/** Which write is behind each event of the truth. */
export type Causes = ReadonlyMap<TruthEvent, Write>;

/**
 * Finds the write behind every event, and the fate of every write: what was
 * acknowledged happened at the revision that the answer told, what was refused
 * did not happen, nothing happened twice, and nothing happened by itself.
 */
export function checkWrites(
  truth: Truth,
  writes: readonly Write[],
): { causes: Causes; violations: Violation[] } {
  const violations: Violation[] = [];
  const report = (guarantee: string, what: string): void =>
    void violations.push({ guarantee, what });
  const writers = new Map(writes.map((write) => [identity(write), write]));
  const deleters = groupBy(
    writes.filter(({ verb }) => verb === 'delete'),
    (write) => `${write.key} ${write.expected}`,
  );
  const causes = new Map<TruthEvent, Write>();
  const effects = new Map<Write, TruthEvent>();

  for (const key of truth.keys) {
    let before: TruthEvent | undefined;
    for (const event of truth.timeline(key)) {
      const candidates =
        event.content === undefined
          ? (deleters.get(`${key} ${before?.revision}`) ?? [])
          : [writers.get(event.content.value)].filter((write) => write !== undefined);
      // An acknowledged delete explains a deletion before one of unknown outcome does.
      const cause =
        candidates.find(({ outcome }) => outcome.kind === 'applied') ??
        candidates.find(({ outcome }) => outcome.kind === 'unknown') ??
        candidates[0];
      if (cause === undefined) {
        report('nothing happens by itself', `${key}@${event.revision} has no writer`);
      } else {
        const other = effects.get(cause);
        if (other !== undefined) {
          report(
            'a write happens once',
            `${describe(cause)} at ${other.revision} and at ${event.revision}`,
          );
        }
        if (cause.key !== key)
          report('a write stays at its key', `${describe(cause)} wrote ${key}`);
        causes.set(event, cause);
        effects.set(cause, event);
        checkCause(cause, event, before, report);
      }
      before = event;
    }
  }
  for (const write of writes) {
    if (write.outcome.kind !== 'applied' || effects.has(write)) continue;
    report(
      'no acknowledged write is lost',
      `${describe(write)} was acknowledged at ${write.outcome.revision} and is in no history`,
    );
  }
  return { causes, violations };
}

function checkCause(
  write: Write,
  event: TruthEvent,
  before: TruthEvent | undefined,
  report: (guarantee: string, what: string) => void,
): void {
  const { outcome, verb, expected } = write;
  if (outcome.kind === 'refused') {
    report(
      'what was refused does not happen',
      `${describe(write)} was refused (${outcome.why}) and happened at ${event.revision}`,
    );
  }
  if (outcome.kind === 'applied' && outcome.revision !== undefined) {
    if (outcome.revision !== event.revision) {
      report(
        'an answer tells its revision',
        `${describe(write)} happened at ${event.revision} and was answered ${outcome.revision}`,
      );
    }
  }
  const stood = before?.content === undefined ? undefined : before.revision;
  if (verb === 'create' ? stood !== undefined : verb !== 'patch' && stood !== expected) {
    report(
      'a conditional write keeps its condition',
      `${describe(write)} at ${event.revision} replaced ${stood ?? 'nothing'}`,
    );
  }
}

/** Its value, which is unique; a delete has none, and is identified by what it deletes. */
function identity({ content, key, expected, client, called }: Write): string {
  return content?.value ?? `delete ${key} ${expected} ${client} ${called}`;
}

export function describe(write: Write): string {
  const what = write.content?.value ?? `of ${write.expected}`;
  return `${write.verb} ${write.key} ${what} by ${write.client}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
