import { attachment, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { exportPortal } from '../../contract/portal.ts'
import type { JobStatus } from '../../rules/job.ts'
import { siteDay } from '../../rules/site-days.ts'
import { displayLanguage } from '../full/culture.ts'
import { exportTexts } from '../full/export-texts.ts'
import type { PortalApp } from '../full/full-app.ts'
import { type Cell, workbook } from '../full/workbook.ts'
import { portalRows } from './portal.ts'
import type { RowView } from './portal-views.ts'

type Say = ReturnType<typeof exportTexts.translator>

/** Registers the spreadsheets of the portal's lists. */
export function servePortalExport(app: PortalApp, context: Pick<Context, 'settings' | 'store'>): void {
  serve(app, exportPortal, async (call) => {
    const { caller, now, reply, log } = call
    const { list } = call.params
    const say = exportTexts.translator(displayLanguage(call))
    const { items } = await portalRows(context, caller, list, now)
    log.info({ list, rows: items.length }, 'a list of the portal exported as a spreadsheet')
    const day = siteDay(context.settings.Site.TimeZone, now)
    reply.header('content-disposition', attachment(`approvals-${list}-${day}.xlsx`))
    return workbook({
      name: say(`list.${list}`),
      title: [
        [say(`list.${list}`)],
        [say('by'), caller.email],
        [say('at'), `${now.toISOString().slice(0, 19).replace('T', ' ')} +00:00`],
      ],
      columns: columns.map(({ title, width }) => ({ title: say(title), width })),
      rows: inOne(items.map((item) => columns.map(({ cell }) => cell(item, say)))),
    })
  })
}

async function* inOne(rows: readonly (readonly Cell[])[]) {
  yield rows
}

// A file without figures has empty cells: a zero would be a figure.
const columns = [
  { title: 'column.fileName', width: 40, cell: ({ fileName }) => fileName },
  { title: 'column.profile', width: 16, cell: ({ profile }) => profile },
  { title: 'column.status', width: 20, cell: ({ status }, say) => statusCell(status, say) },
  { title: 'column.payer', width: 40, cell: ({ payerName }) => payerName },
  { title: 'column.payerId', width: 18, cell: ({ payerId }) => payerId },
  { title: 'column.total', width: 16, cell: ({ totalCentavos }) => reais(totalCentavos) },
  { title: 'column.payments', width: 11, cell: ({ paymentCount }) => paymentCount?.toString() ?? null },
  { title: 'column.exclusions', width: 11, cell: ({ cancellationCount }) => cancellationCount?.toString() ?? null },
  { title: 'column.largest', width: 16, cell: ({ largestCentavos }) => reais(largestCentavos) },
  { title: 'column.parked', width: 20, cell: ({ parkedSince }) => new Date(parkedSince) },
  { title: 'column.deadline', width: 20, cell: ({ expiresAt }) => moment(expiresAt) },
  { title: 'column.approved', width: 12, cell: ({ tally }) => `${tally.approved}/${tally.required}` },
  { title: 'column.rejected', width: 12, cell: ({ tally }) => tally.rejected.toString() },
  { title: 'column.own', width: 14, cell: ({ ownDecision }, say) => ownDecision && say(`own.${ownDecision.decision}`) },
  { title: 'column.ownAt', width: 20, cell: ({ ownDecision }) => moment(ownDecision?.decidedAt ?? null) },
  { title: 'column.ownReason', width: 40, cell: ({ ownDecision }) => ownDecision?.reason ?? null },
  { title: 'column.id', width: 38, cell: ({ jobId }) => jobId },
] as const satisfies readonly { title: string; width: number; cell(row: RowView, say: Say): Cell }[]

const reais = (centavos: number | null): number | null => (centavos === null ? null : centavos / 100)

const moment = (time: string | null): Date | null => (time === null ? null : new Date(time))

const statusCell = (status: JobStatus | null, say: Say): string | null => status && say(`status.${status}`)
