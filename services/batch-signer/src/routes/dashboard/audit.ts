import { Readable } from 'node:stream'
import { exportChain, readChain } from '@chancela/service-kernel/events'
import { attachment, serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { exportAudit } from '../../contract/audit.ts'
import { said, telling } from '../../rules/sentences.ts'
import { fileStamp } from '../full/file-stamp.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf } from '../operator-access.ts'

/** Registers the export of the audit chain, for operators. */
export function serveAudit(app: FullApp, { store, chain, events }: Pick<Context, 'store' | 'chain' | 'events'>): void {
  serve(app, exportAudit, async ({ now, caller, reply }) => {
    const actor = actorOf(caller)
    await events.record(store.db, {
      type: 'AuditExported',
      actor,
      ...telling(said('audit-exported', { actor: actor.name })),
    })
    reply.header('content-disposition', attachment(`audit-${fileStamp(now)}.jsonl`))
    const entries = readChain(store.db, chain.kinds)
    return Readable.from(exportChain(entries, { service: 'batch-signer', now }))
  })
}
