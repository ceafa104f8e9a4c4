import type { RuleName } from './forecast-rules.ts'

/** A rule that a signature breaks, and what is known of it: a value found, a name. */
export interface BrokenRule {
  readonly rule: RuleName
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

export const broken = (rule: RuleName, details?: BrokenRule['details']): BrokenRule => ({
  rule,
  ...(details && { details }),
})
