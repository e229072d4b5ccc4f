/** What a user does takes precedence over the place of before. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Calls `act` whenever the user begins to do something with the page. The answer ends it. */
export function onAct(act: () => void): () => void {
  for (const type of ACTS) addEventListener(type, act, { capture: true, passive: true });
  return () => {
    for (const type of ACTS) removeEventListener(type, act, { capture: true });
  };
}
