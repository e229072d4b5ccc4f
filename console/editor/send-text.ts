import { Refused, sendRaw } from '../api/http.ts';
import { readText } from './document.ts';

interface TextAsk {
  readonly body: string;
  readonly type?: string;
  readonly accept: string;
}

/**
 * Sends a request whose answer is YAML or JSON, refusals included.
 *
 * @throws Refused, Unreachable
 */
export async function sendText(
  method: string,
  path: string,
  ask: TextAsk,
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const { status, text, warnings } = await sendRaw(method, path, ask);
  if (status < 400) return { text, warnings };
  throw new Refused(status, readText(text).value ?? { message: text });
}
