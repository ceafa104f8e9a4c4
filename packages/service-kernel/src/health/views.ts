import type { ReadinessVerdict } from './readiness.ts'

/** The verdict without details, for anybody who asks: the field is absent, not null. */
export interface AnonymousVerdict {
  readonly ready: boolean
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[]
}

/** What an anonymous caller may know. */
export const anonymous = ({ ready, checks }: ReadinessVerdict): AnonymousVerdict => ({
  ready,
  checks: checks.map(({ name, ok }) => ({ name, ok })),
})

/** What an operator sees: the detail of each check that has one. */
export const detailed = ({ ready, checks }: ReadinessVerdict): ReadinessVerdict => ({
  ready,
  checks: checks.map(({ name, ok, detail }) => ({ name, ok, ...(detail !== undefined && { detail }) })),
})
