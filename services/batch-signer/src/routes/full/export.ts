import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { attachment, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { exportJobs } from '../../contract/jobs.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import type { ReportLocale } from '../../rules/cnab240/entry-codes.ts'
import type { RemittanceSummary } from '../../rules/cnab240/remittance.ts'
import { type JobFilter, readJobFilter } from '../../rules/job-filter.ts'
import { errorMessageIn } from '../../rules/job-reason.ts'
import { siteDay } from '../../rules/site-days.ts'
import * as reads from '../../store/job-reads.ts'
import { displayLanguage } from './culture.ts'
import { exportTexts } from './export-texts.ts'
import { fileStamp } from './file-stamp.ts'
import type { FullApp } from './full-app.ts'
import { remittanceOf } from './job-views.ts'
import { type Cell, workbook } from './workbook.ts'

/** Rows of one spreadsheet. */
const MOST_ROWS = 10_000

type Say = ReturnType<typeof exportTexts.translator>

/** Registers the job spreadsheet. */
export function serveExport(
  app: FullApp,
  context: Context,
  { profiles }: { readonly profiles: ProfileDirectory },
): void {
  serve(app, exportJobs, async (call) => {
    const { query, now, log, caller, reply } = call
    const locale = displayLanguage(call)
    const say = exportTexts.translator(locale)
    const filter = readJobFilter(query, profiles, context.settings.Site.TimeZone)
    const { total, rows } = await reads.exportJobs(context.store.db, filter, MOST_ROWS)
    log.info({ operator: caller.name, matched: total }, 'jobs exported as a spreadsheet')
    reply.header('content-disposition', attachment(`jobs-${fileStamp(now)}.xlsx`))
    return workbook({
      name: say('sheet'),
      title: titleLines(say, { who: caller.name, now, filter, total, timeZone: context.settings.Site.TimeZone }),
      columns: columns.map(({ title, width }) => ({ title: say(title), width })),
      rows: cellsOf(rows, say, locale),
    })
  })
}

interface Occasion {
  readonly who: string
  readonly now: Date
  readonly filter: JobFilter
  readonly total: number
  readonly timeZone: string
}

const titleLines = (say: Say, { who, now, filter, total, timeZone }: Occasion): readonly (readonly string[])[] => [
  [say('sheet')],
  [say('by'), who],
  [say('at'), `${now.toISOString().slice(0, 19).replace('T', ' ')} +00:00`],
  [say('filters'), filterText(say, filter, timeZone)],
  [say('matched'), String(total)],
  ...(total > MOST_ROWS ? [[say('cut', { most: MOST_ROWS })]] : []),
]

function filterText(say: Say, filter: JobFilter, timeZone: string): string {
  const { status, profile, fileName, format, source, from, to } = filter
  const texts = [
    status && `${say('column.status')}: ${say(`status.${status}`)}`,
    profile && `${say('column.profile')}: ${profile}`,
    fileName && `${say('column.fileName')}: ${fileName}`,
    format && `${say('column.format')}: ${format}`,
    source && `${say('column.source')}: ${source}`,
    from && `${say('filter.from')}: ${siteDay(timeZone, new Date(from))}`,
    // The last requested day; the filter itself ends at the midnight after it.
    to && `${say('filter.to')}: ${siteDay(timeZone, plus(new Date(to), -MINUTE))}`,
  ].filter((text) => text !== undefined && text !== '')
  return texts.length === 0 ? say('no-filters') : texts.join('; ')
}

const columns = [
  { title: 'column.fileName', width: 40, cell: (job) => job.file_name },
  { title: 'column.format', width: 9, cell: (job) => job.format },
  { title: 'column.profile', width: 16, cell: (job) => job.profile_name },
  { title: 'column.source', width: 10, cell: (job) => job.source },
  { title: 'column.status', width: 18, cell: (job, say) => say(`status.${job.status}`) },
  { title: 'column.created', width: 20, cell: (job) => new Date(job.created_at) },
  { title: 'column.updated', width: 20, cell: (job) => new Date(job.updated_at) },
  { title: 'column.inputFolder', width: 16, cell: (job) => job.input_folder },
  { title: 'column.originalPath', width: 50, cell: (job) => job.original_path },
  { title: 'column.total', width: 16, cell: (job) => centavos(remittanceOf(job)?.totalCentavos) },
  { title: 'column.payments', width: 11, cell: (job) => remittanceOf(job)?.paymentCount.toString() ?? null },
  { title: 'column.encrypted', width: 12, cell: (job, say) => say(job.output_encrypted === 1 ? 'yes' : 'no') },
  { title: 'column.error', width: 50, cell: (job, _, locale) => errorMessageIn(locale, job) },
  { title: 'column.parent', width: 38, cell: (job) => job.parent_job_id },
  { title: 'column.id', width: 38, cell: (job) => job.id },
  { title: 'column.cause', width: 34, cell: (job) => job.error_cause },
  { title: 'column.bank', width: 24, cell: (job) => bankOf(remittanceOf(job)) },
  { title: 'column.company', width: 40, cell: (job) => companyOf(remittanceOf(job)) },
] as const satisfies readonly {
  title: string
  width: number
  cell(job: reads.ExportedJob, say: Say, locale: ReportLocale): Cell
}[]

const bankOf = (remittance: RemittanceSummary | null): string | null =>
  remittance && [remittance.bankCode, remittance.bankName].filter(Boolean).join(' ')

const companyOf = (remittance: RemittanceSummary | null): string | null =>
  remittance && [remittance.payerName, remittance.payerId].filter(Boolean).join(', ')

const centavos = (total: number | undefined): number | null => (total === undefined ? null : total / 100)

async function* cellsOf(chunks: AsyncIterable<readonly reads.ExportedJob[]>, say: Say, locale: ReportLocale) {
  for await (const jobs of chunks) yield jobs.map((job) => columns.map(({ cell }) => cell(job, say, locale)))
}
