/** A payload pretty-printed for display only: the single line is what is sent and copied. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // Truncated, so it does not parse.
    return body
  }
}
