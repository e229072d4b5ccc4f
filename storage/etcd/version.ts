import semver from 'semver';
import { StoreError } from '../errors.ts';

/** The oldest etcd that the store works with (issue text; Debian 12 has it). */
const OLDEST_ETCD = '3.4.23';

/** What an etcd of some version can be trusted with. */
export interface EtcdFeatures {
  readonly version: string;
  /**
   * An answer to a progress request never overtakes events that it claims
   * (etcd issue 15220; measured on 3.4.23: 761 of 31,000 events came late).
   */
  readonly safeProgress: boolean;
  /**
   * A watch neither loses the delete at the very revision of a compaction
   * (etcd issues 18089, 19179) nor misses that compaction has overtaken it
   * (etcd pull 17610).
   */
  readonly safeCompaction: boolean;
}

const SAFE_PROGRESS = '3.4.25 - 3.4.x || >=3.5.8';
const SAFE_COMPACTION = '3.4.36 - 3.4.x || >=3.5.18';
/** Releases that could lose or corrupt committed data (etcd postmortem v3.5 data inconsistency). */
const LOSES_DATA = '3.5.0 - 3.5.2';

/** What is assumed of a member that does not tell its version. */
export const CAUTIOUS: EtcdFeatures = {
  version: 'unknown',
  safeProgress: false,
  safeCompaction: false,
};

/**
 * @throws StoreError `unavailable` in one line for a version that is too old
 */
export function featuresOf(version: string, endpoint: string): EtcdFeatures {
  // Pre-releases and vendors' suffixes count as the release that they lead to.
  const release = semver.coerce(version)?.version;
  if (release === undefined) return { ...CAUTIOUS, version };
  if (semver.lt(release, OLDEST_ETCD)) {
    throw new StoreError(
      'unavailable',
      `etcd at ${endpoint} is version ${version}; Plinth needs ${OLDEST_ETCD} or newer`,
    );
  }
  return {
    version,
    safeProgress: semver.satisfies(release, SAFE_PROGRESS),
    safeCompaction: semver.satisfies(release, SAFE_COMPACTION),
  };
}

/** The features that all of the members have; the version of the first. */
export function commonFeatures(all: readonly EtcdFeatures[]): EtcdFeatures {
  const [first] = all;
  if (first === undefined) return CAUTIOUS;
  const versions = [...new Set(all.map(({ version }) => version))];
  return {
    version: versions.join(', '),
    safeProgress: all.every(({ safeProgress }) => safeProgress),
    safeCompaction: all.every(({ safeCompaction }) => safeCompaction),
  };
}

/** One sentence each, for the log at start. */
export function limitationsOf({ version, safeProgress, safeCompaction }: EtcdFeatures): string[] {
  const limitations: string[] = [];
  if (!safeProgress) {
    limitations.push(
      `etcd ${version} cannot tell safely how far a watch is (needs 3.4.25, 3.5.8 or newer): ` +
        'while others write to etcd outside this prefix, consistent reads go to etcd itself.',
    );
  }
  if (!safeCompaction) {
    limitations.push(
      `etcd ${version} may drop events of a watch that compaction catches up with (needs 3.4.36, ` +
        '3.5.18 or newer): watches start over whenever that cannot be ruled out.',
    );
  }
  if (version.split(', ').some((one) => semver.satisfies(one, LOSES_DATA))) {
    limitations.push(
      `etcd ${version} can lose or corrupt data in a crash: upgrade to 3.5.8 or newer.`,
    );
  }
  return limitations;
}
