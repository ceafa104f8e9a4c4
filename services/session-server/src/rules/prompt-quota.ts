// How often the screen of a person may be used by applications that know a CPF. Past that the code alone leads to an
// approval: it is typed by the person.

/** What a screen was used for lately. */
export interface ScreenUse {
  /** When its holder was asked. */
  readonly asked: readonly Date[]
  readonly refusedAt?: Date
}

export interface QuotaRules {
  readonly most: number
  /** Milliseconds in which at most so many are asked. */
  readonly window: number
  /** Milliseconds of quiet after the holder refused. */
  readonly quiet: number
}

const isWithin = (time: Date, now: Date, milliseconds: number): boolean => now.getTime() - time.getTime() < milliseconds

/** The part of a use that still counts. */
export const countingUse = ({ asked, refusedAt }: ScreenUse, now: Date, { window, quiet }: QuotaRules): ScreenUse => ({
  asked: asked.filter((time) => isWithin(time, now, window)),
  ...(refusedAt && isWithin(refusedAt, now, quiet) && { refusedAt }),
})

/** Whether the holder may be asked now. */
export function mayAsk(use: ScreenUse, now: Date, rules: QuotaRules): boolean {
  const { asked, refusedAt } = countingUse(use, now, rules)
  return refusedAt === undefined && asked.length < rules.most
}
