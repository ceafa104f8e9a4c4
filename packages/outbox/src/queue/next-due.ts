import { type Db, hotStatement } from '@chancela/service-kernel/store'

/** When the next job of the queue can be claimed, expiring leases included; undefined when none is unfinished. */
export async function nextDue<Tables>(db: Db<Tables>, queue: string): Promise<Date | undefined> {
  const [row] = await select(db, queue)
  return row && new Date(row.due_at)
}

const question = (placeholder: string) => `select due_at from durable_job
  where queue = ${placeholder} and state in ('waiting', 'claimed') order by due_at limit 1`

const select = hotStatement<string, { due_at: string }>('next_due_job', {
  sqlite: { text: question('?'), parameters: (queue) => [queue] },
  postgres: { text: question('$1'), parameters: (queue) => [queue] },
})
