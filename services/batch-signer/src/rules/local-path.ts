/**
 * Redirect target after a form: a path of this service. Anything a browser could interpret as another host, or would
 * first strip of control characters, becomes `/`.
 */
export function localPath(text: string | undefined): string {
  if (text === undefined || !LOCAL.test(text)) return '/'
  const { pathname, search, hash } = new URL(text, HERE)
  // Dot segments can leave two slashes at the start of a path, which means another host again.
  return pathname.startsWith('//') ? '/' : `${pathname}${search}${hash}`
}

// One slash, not followed by what browsers treat as a second one; no control characters, which browsers drop.
const LOCAL = /^\/(?![/\\])[^\p{Cc}\\]*$/u

const HERE = 'http://localhost'
