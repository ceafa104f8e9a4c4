import type { Context } from '../../context.ts'
import type { SecurityContexts } from '../../parts/trust/security-contexts.ts'

/** What every step of an authentication needs. */
export interface Dependencies {
  readonly context: Context
  readonly contexts: SecurityContexts
}
