/**
 * Where a caller may be led after a form: a path of this service. Whatever a browser could read as another host, and
 * whatever it would first clean of control characters, becomes `/`.
 */
export function localPath(text: string | undefined): string {
  if (text === undefined || !LOCAL.test(text)) return '/'
  const { pathname, search, hash } = new URL(text, HERE)
  // Dots in a path can leave two slashes at its beginning, which is another host again.
  return pathname.startsWith('//') ? '/' : `${pathname}${search}${hash}`
}

// One slash, not followed by what browsers take for a second one; no control characters, which browsers drop.
const LOCAL = /^\/(?![/\\])[^\p{Cc}\\]*$/u

const HERE = 'http://localhost'
