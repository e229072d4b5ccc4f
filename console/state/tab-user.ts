/** In the storage of the tab: who was signed in last. */
const USER = 'plinth-console-user';

/** Whether another user than the last one of this tab has signed in. It counts as the last one from now on. */
export function isOtherUser(name: string): boolean {
  try {
    const last = sessionStorage.getItem(USER);
    sessionStorage.setItem(USER, name);
    return last !== null && last !== name;
  } catch {
    // Without storage the page cannot tell.
    return true;
  }
}
