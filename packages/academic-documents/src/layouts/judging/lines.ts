const LINE_FEED = 0x0a

/** Line and column of a byte, both from 1; columns count bytes. */
export function lineAt(bytes: Uint8Array, offset: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < offset; at = bytes.indexOf(LINE_FEED, at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}
