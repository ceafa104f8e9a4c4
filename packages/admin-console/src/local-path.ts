/** The page that a browser comes back to: a path of the console. Anything that could be another host becomes `/`. */
export function localPath(text: string | undefined): string {
  if (text === undefined || !LOCAL.test(text)) return '/'
  const { pathname, search } = new URL(text, 'http://localhost')
  // Dot segments can leave two slashes at the start of a path, which means another host again.
  return pathname.startsWith('//') ? '/' : `${pathname}${search}`
}

// One slash, not followed by what browsers treat as a second one; no control characters, which browsers drop.
const LOCAL = /^\/(?![/\\])[^\p{Cc}\\]*$/u
