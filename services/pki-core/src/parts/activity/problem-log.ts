// Calls that failed inside the service, kept so that the exceptionCode a caller was told finds what happened.
import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import type { Dialect } from '@chancela/service-kernel/http'
import { newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ProblemEntryRow } from '../../store/tables.ts'

/** Problems that wait to be written: more of them at once say nothing new, and the log has them all. */
const MOST_WAITING = 200

const LONGEST_TEXT = 4000

export class ProblemLog {
  readonly #context: Pick<Context, 'store' | 'clock' | 'logger'>
  readonly #writing: CoalescedRun
  #waiting: ProblemEntryRow[] = []

  constructor(context: Pick<Context, 'store' | 'clock' | 'logger' | 'closing'>) {
    this.#context = context
    this.#writing = new CoalescedRun(() => this.#write())
    context.closing.add('the log of problems', () => this.#writing.idle())
  }

  /** The dialect, writing down what it renders as an exception. */
  watching(dialect: Dialect): Dialect {
    return {
      ...dialect,
      render: (failure, context) => {
        if (failure.status === 500) this.#note(failure.code, context.correlationId, context.path, context.error)
        return dialect.render(failure, context)
      },
    }
  }

  #note(code: string, correlationId: string, path: string, error: unknown): void {
    if (this.#waiting.length >= MOST_WAITING) return
    const now = this.#context.clock()
    this.#waiting.push({
      id: newRowId(now),
      exception_code: correlationId,
      at: now.toISOString(),
      status: 500,
      code,
      path: path.slice(0, LONGEST_TEXT),
      problem: textOf(error),
      detail: error instanceof Error ? storable(error.stack ?? '') : null,
    })
    // The caller need not wait for it; a database that is away is in the log already.
    this.#writing.request().catch((problem: unknown) => {
      this.#context.logger.warn({ err: problem }, 'problems could not be written down')
    })
  }

  async #write(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    if (rows.length > 0) await this.#context.store.db.insertInto('problem_entry').values(rows).execute()
  }
}

const textOf = (error: unknown): string =>
  storable(error instanceof Error ? `${error.name}: ${error.message}` : String(error))

// PostgreSQL's text cannot hold the character U+0000.
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD').slice(0, LONGEST_TEXT)
