/** The JSON object that was written; undefined where it is none. */
export function jsonIn(text: unknown): object | undefined {
  try {
    const read: unknown = JSON.parse(String(text))
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}
