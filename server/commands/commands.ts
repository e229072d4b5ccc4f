import { advanceCommand } from './advance.ts';
import { backupCommand } from './backup.ts';
import { certificatesCommand } from './certificates.ts';
import type { OperatorCommand } from './command.ts';
import { healthCommand } from './health.ts';
import { migrateCommand } from './migrate.ts';
import { restoreCommand } from './restore.ts';

/** Everything that the program does beside serving. */
export const COMMANDS: readonly OperatorCommand[] = [
  backupCommand,
  restoreCommand,
  migrateCommand,
  advanceCommand,
  certificatesCommand,
  healthCommand,
];
