import type { Source } from './source.ts'

/**
 * The values of a source, before any schema was applied. The settings file and the environment use this one shape, so
 * that the same code handles precedence, unknown names and wrong values for both.
 */
export type Input =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly source: Source }
  /** Text of an environment variable: its meaning depends on the type of the setting. */
  | { readonly kind: 'text'; readonly text: string; readonly source: Source }
  | { readonly kind: 'list'; readonly items: readonly Input[]; readonly source: Source }
  | { readonly kind: 'parts'; readonly parts: ReadonlyMap<string, Input>; readonly source: Source }

export type Parts = Extract<Input, { kind: 'parts' }>
