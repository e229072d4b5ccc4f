import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../support/plinth.ts';

/** A policy and the file that a server writes its audit events to. */
export class AuditLog {
  readonly directory = mkdtempSync(join(tmpdir(), 'plinth-audit-'));
  readonly file = join(this.directory, 'audit.log');
  readonly policy = join(this.directory, 'policy.yaml');

  constructor(rules: object[], more: object = {}) {
    this.writePolicy(rules, more);
  }

  get args(): string[] {
    return ['--audit-policy-file', this.policy, '--audit-log-path', this.file];
  }

  writePolicy(rules: object[], more: object = {}): void {
    const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more };
    writeFileSync(this.policy, stringify(policy));
  }

  /** What has been written so far. */
  get text(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }

  events(): any[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  of(auditID: string): any[] {
    return this.events().filter((event) => event.auditID === auditID);
  }

  /** Waits for the event in which a request ends. */
  async end(auditID: string): Promise<any> {
    const last = (): any => this.of(auditID).find(({ stage }) => stage === 'ResponseComplete');
    await eventually(() => last() !== undefined, `the end of ${auditID}`);
    return last();
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
