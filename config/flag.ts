/** One flag; the configuration reference in docs/ is made from tables of these. */
export interface Flag<Config> {
  readonly name: keyof Config & string;
  /** As commander reads it: `--etcd-servers <urls>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: unknown;
  readonly choices?: readonly string[];
  /** `previous`: what the flag said before, when it comes several times. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}
