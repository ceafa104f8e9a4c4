import type { Source } from './source.ts'

/**
 * What a source says, before any schema was asked. The settings file and the environment come in this one shape, so
 * that precedence, unknown names and wrong values are judged by the same code for both.
 */
export type Input =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null; readonly source: Source }
  /** Text of an environment variable: what it means depends on the type of the setting. */
  | { readonly kind: 'text'; readonly text: string; readonly source: Source }
  | { readonly kind: 'list'; readonly items: readonly Input[]; readonly source: Source }
  | { readonly kind: 'parts'; readonly parts: ReadonlyMap<string, Input>; readonly source: Source }

export type Parts = Extract<Input, { kind: 'parts' }>
