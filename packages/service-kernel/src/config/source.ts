/** Where a value was written. Lines and columns count from 1. */
export type Source =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly variable: string }

export const DEFAULT_SOURCE: Source = { kind: 'default' }

/** The place as an operator looks it up: `default`, `chancela.json:4:7` or the name of the variable. */
export function sourceText(source: Source): string {
  if (source.kind === 'default') return 'default'
  return source.kind === 'file' ? `${source.file}:${source.line}:${source.column}` : source.variable
}
