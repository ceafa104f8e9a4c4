// Canonical XML 1.1 §2.4, "join-URI-References": RFC 3986 §5.2 made to work on relative bases too.

const REFERENCE = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/** The `xml:base` an element has by itself and through an omitted ancestor together. */
export function joinXmlBase(base: string, reference: string): string {
  const [, scheme, authority, path, query] = REFERENCE.exec(reference)!
  const [, baseScheme, baseAuthority, basePath, baseQuery] = REFERENCE.exec(base)!
  if (scheme !== undefined) return compose(scheme, authority, removeDots(path!), query)
  if (authority !== undefined) return compose(baseScheme, authority, removeDots(path!), query)
  if (path === '') return compose(baseScheme, baseAuthority, removeDots(basePath!), query ?? baseQuery)
  const merged = path!.startsWith('/') ? path! : merge(baseAuthority, basePath!, path!)
  return compose(baseScheme, baseAuthority, removeDots(merged), query)
}

function merge(authority: string | undefined, basePath: string, path: string): string {
  if (authority !== undefined && basePath === '') return `/${path}`
  // The specification treats a base that ends in `..` as if a slash followed.
  const directory = /(?:^|\/)\.\.$/.test(basePath) ? `${basePath}/` : basePath
  return directory.slice(0, directory.lastIndexOf('/') + 1) + path
}

/** RFC 3986 §5.2.4, keeping leading `..` of relative paths and joining runs of slashes. */
function removeDots(path: string): string {
  const isAbsolute = path.startsWith('/')
  const segments = path.split('/').filter((segment) => segment !== '')
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push('..')
  }
  const last = segments.at(-1)
  const isDirectory = path.endsWith('/') || last === '.' || last === '..'
  const joined = kept.join('/')
  if (joined === '') return isAbsolute ? '/' : ''
  return (isAbsolute ? '/' : '') + joined + (isDirectory ? '/' : '')
}

function compose(scheme: string | undefined, authority: string | undefined, path: string, query: string | undefined) {
  const head = (scheme === undefined ? '' : `${scheme}:`) + (authority === undefined ? '' : `//${authority}`)
  return head + path + (query === undefined ? '' : `?${query}`)
}
