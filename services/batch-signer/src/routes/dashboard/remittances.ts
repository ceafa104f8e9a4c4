import { DAY, plus } from '@chancela/service-kernel/clock'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { readRemittanceTotals } from '../../contract/dashboard-jobs.ts'
import { dayIn } from '../../rules/cnab240/payment-date-gate.ts'
import type { RemittanceSummary } from '../../rules/cnab240/remittance.ts'
import { RemittanceTotals } from '../../rules/cnab240/remittance-totals.ts'
import { readDays } from '../../rules/job-filter.ts'
import { dayPlus, siteDay } from '../../rules/site-days.ts'
import { signedRemittances } from '../../store/remittances.ts'
import type { FullApp } from '../full/full-app.ts'

/** Days of one answer. */
const LONGEST = 365

/** Registers what signed remittances pay. */
export function serveRemittances(app: FullApp, { store, settings }: Context): void {
  serve(app, readRemittanceTotals, async ({ query, now }) => {
    const zone = settings.Cnab240.TimeZone ?? settings.Site.TimeZone
    const dayOf = dayIn(zone)
    const { from, to } = daysOf(query, now, zone)
    const totals = new RemittanceTotals()
    // No zone is a day away from UTC: one more on either side holds every moment of the days.
    const range = { since: plus(midnight(from), -DAY), until: plus(midnight(to), 2 * DAY) }
    for await (const { finished_at, cnab240 } of signedRemittances(store.db, range)) {
      const day = dayOf(new Date(finished_at))
      if (day >= from && day <= to) totals.add(day, JSON.parse(cnab240) as RemittanceSummary)
    }
    const rows = totals.rows.map(({ centavos, ...row }) => ({ ...row, totalCentavos: String(centavos) }))
    return { from, to, rows, totalCentavos: String(totals.centavos) }
  })
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00.000Z`)

/** The requested days; by default the last seven. */
function daysOf(query: Readonly<Record<string, unknown>>, now: Date, zone: string) {
  const asked = readDays(query, zone)
  // The end is the first moment of the day after.
  const to = asked.to === undefined ? siteDay(zone, now) : dayPlus(siteDay(zone, new Date(asked.to)), -1)
  const from = asked.from === undefined ? dayPlus(to, -6) : siteDay(zone, new Date(asked.from))
  const first = dayPlus(to, -LONGEST)
  return { from: from < first ? first : from, to }
}
