const STORAGE_KEY = 'chancela-signing-way'

/** The way this visitor signed with last. */
export function lastWay(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    // A frame whose storage is blocked starts with the page's own order.
    return null
  }
}

export function rememberWay(way: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, way)
  } catch {
    // Not remembered: nothing else depends on it.
  }
}
