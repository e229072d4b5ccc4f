import * as nodeModule from 'node:module';
import { join } from 'node:path';

/** In the data directory: in a directory that all users share, others could put code for this process. */
const DIRECTORY = 'compile-cache';

/** Absent before Node 22.1. */
interface Caching {
  enableCompileCache?(directory: string): unknown;
}

/**
 * Lets Node keep what V8 has compiled for the next start, where Node can. What
 * cannot be read or written is compiled as before. To be called after the flags of V8
 * are set, on which the code depends, and before the code is imported.
 */
export function keepCompiledCode(dataDir: string): void {
  (nodeModule as Caching).enableCompileCache?.(join(dataDir, DIRECTORY));
}
