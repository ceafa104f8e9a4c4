/** A payload with its lines set out, for the eye alone: what is sent, and copied, is the one line. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // Kept in part only.
    return body
  }
}
