import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { type EventExport, exportChain, exportEvents, readChain } from '@chancela/service-kernel/events'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import { chainedServices, withDatabase } from './audit-databases.ts'
import type { CommandContext, CommonOptions } from './command-context.ts'

export interface ExportOptions extends CommonOptions {
  readonly output: string
  readonly format: EventExport['format'] | 'chain'
  readonly from?: string
  readonly to?: string
  readonly language: InterfaceLanguage
}

/** `chancela audit export`: the events of a service for an auditor, or its whole chain, as a file that only its owner reads. */
export async function exportAuditCommand(context: CommandContext, name: string, options: ExportOptions): Promise<void> {
  const { format, output, language } = options
  const [from, to] = [timeIn('--from', options.from), timeIn('--to', options.to)]
  if (format === 'chain' && (from ?? to))
    throw new StartupProblem('A chain is exported whole: without --from and --to.')
  for (const service of chainedServices(context, [name])) {
    const written = await withDatabase(context, service, options, async ({ store: { db } }) => {
      const lines =
        format === 'chain'
          ? exportChain(readChain(db, service.chained), { service: service.name, now: context.clock() })
          : exportEvents(db, { format, language, from, to, textIn: service.eventText, kinds: service.chained })
      await writeLines(lines, output)
      return undefined
    })
    if (written !== undefined) throw new StartupProblem(written)
    context.print(`${service.name}: exported to ${output}.`)
  }
}

/** Never over another file, and never more than some lines in memory. */
async function writeLines(lines: AsyncIterable<string>, output: string): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(output, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`
    throw code === undefined ? error : new StartupProblem(`${output} ${why}.`)
  }
}

const TIME = /^\d{4}-\d\d-\d\d(?<clock>T\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?(?<zone>Z|[+-]\d\d:\d\d)?$/

function timeIn(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const { clock, zone } = TIME.exec(text)?.groups ?? {}
  const time = new Date(clock !== undefined && zone === undefined ? `${text}Z` : text)
  if (!TIME.test(text) || Number.isNaN(time.getTime()))
    throw new StartupProblem(`${option} takes a time such as 2026-11-18 or 2026-11-18T12:00Z.`)
  return time
}
