/** Is a page of this origin one of the server that the request names? Pages come by HTTPS only. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && origin.toLowerCase() === `https://${host.toLowerCase()}`;
}
