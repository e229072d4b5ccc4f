import { readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { parse } from 'yaml';
import { eventually, type Plinth } from '../support/plinth.ts';
import { findChromium } from './find-chromium.ts';

/** A busy machine takes long. */
const WAIT_MS = 90_000;

interface OpenOptions {
  /** The kubeconfig whose certificate the browser shows; the administrator's by default; none: null. */
  readonly kubeconfig?: string | null;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** By default nothing moves, so that pictures are the same each time. */
  readonly hasMotion?: boolean;
}

/** One for all files of a run. */
let shared: Promise<Browser> | undefined;
after(async () => {
  await (await shared)?.close();
  shared = undefined;
});

async function launched(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no chromium: see test/browser/needs.ts');
  shared ??= chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: WAIT_MS });
  return shared;
}

/** Chromium, as the tests of the console drive it. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #plinth: Plinth;
  readonly #contexts: BrowserContext[] = [];
  /** Errors of pages: what they throw, and what their security policy refuses. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, plinth: Plinth) {
    this.#browser = browser;
    this.#plinth = plinth;
  }

  static async start(plinth: Plinth): Promise<TestBrowser> {
    return new TestBrowser(await launched(), plinth);
  }

  /** Opens a place of the console; `hash` as in the address. */
  async open(hash: string, options: OpenOptions = {}): Promise<Page> {
    const { theme = 'light', width = 1280, height = 800, kubeconfig } = options;
    const motion = options.hasMotion === true ? 'no-preference' : 'reduce';
    const context = await this.#browser.newContext({
      ...{ ignoreHTTPSErrors: true, colorScheme: theme, viewport: { width, height } },
      ...{ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: motion },
      clientCertificates:
        kubeconfig === null ? [] : [this.#certificate(kubeconfig ?? this.#plinth.kubeconfig)],
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) this.errors.push(message.text());
    });
    page.on('dialog', (dialog) => {
      if (dialog.type() !== 'beforeunload') this.errors.push(`a dialog: ${dialog.message()}`);
      void dialog.accept().catch(() => undefined);
    });
    await page.goto(`${this.#plinth.url}/console/${hash}`);
    return page;
  }

  /** Closes all pages. */
  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  #certificate(kubeconfig: string): { origin: string; cert: Buffer; key: Buffer } {
    return { origin: new URL(this.#plinth.url).origin, ...certificateOf(kubeconfig) };
  }
}

/** What a client shows that uses a kubeconfig. */
export function certificateOf(kubeconfig: string): { cert: Buffer; key: Buffer } {
  const [{ user }] = parse(readFileSync(kubeconfig, 'utf8')).users;
  const bytes = (name: string): Buffer => Buffer.from(user[`${name}-data`], 'base64');
  return { cert: bytes('client-certificate'), key: bytes('client-key') };
}

/** The code of the link that the server prints: it may come after the line that says where it serves. */
export async function codeOf(plinth: Plinth): Promise<string> {
  let code = '';
  await eventually(() => {
    code = /#code=([\w-]{43})/.exec(plinth.output)?.[1] ?? '';
    return code !== '';
  }, 'the link');
  return code;
}

/** Presses keys as one who types quickly: the second does not wait for the page to answer the first. */
export async function pressQuickly(page: Page, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}
