/** One piece of a path: text to match, or the name of a parameter. */
export type PathPiece = { readonly text: string } | { readonly param: string }

/** Reads `/a/{b}` and `/a/:b`; a colon that does not begin a segment is text. */
export function pathPieces(path: string): readonly PathPiece[] {
  const pieces: PathPiece[] = []
  for (const [whole, brace, colon] of path.matchAll(/\{(\w+)\}|(?<=\/):(\w+)|[^{:]+|[{:]/g)) {
    const param = brace ?? colon
    pieces.push(param === undefined ? { text: whole } : { param })
  }
  return pieces
}

/** The path as the router wants it: `/a/:b`, with colons of the text doubled. */
export const routerPath = (path: string): string =>
  pathPieces(path)
    .map((piece) => ('param' in piece ? `:${piece.param}` : piece.text.replaceAll(':', '::')))
    .join('')

/** The path as OpenAPI writes it: `/a/{b}`. */
export const openApiPath = (path: string): string =>
  pathPieces(path)
    .map((piece) => ('param' in piece ? `{${piece.param}}` : piece.text))
    .join('')

/** Matches what the router matches: any case, doubled slashes, an extra slash at the end. */
export function pathPattern(path: string): RegExp {
  const source = pathPieces(path)
    .map((piece) => ('param' in piece ? '[^/]+' : escaped(piece.text).replaceAll('/', '/+')))
    .join('')
  return new RegExp(`^${source.replace(/(?:\/\+)$/, '')}/*$`, 'i')
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
