import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { ByteBudget } from '@chancela/service-kernel/concurrency'
import { readAuthorities } from '@chancela/service-kernel/tls'
import type { Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../../context.ts'
import { openSessionMetrics } from '../../metrics.ts'
import { SignatureService } from '../../upstream/signature-service/signature-service.ts'
import { reconcileSignatures } from '../../workers/reconcile-signatures.ts'
import type { Sessions } from '../sessions/live-session.ts'
import type { Workstations } from '../workstations/workstations.ts'
import { SignatureLog } from './signature-log.ts'
import { Signing } from './signing.ts'

/** The signing part: its service client, and the worker that reconciles lost documents. */
export interface SigningPart {
  readonly signatureService: SignatureService
  readonly signing: Signing
  readonly log: SignatureLog
  /** For the bytes of documents in transit. */
  readonly room: ByteBudget
  readonly reconciler: Worker
}

interface SigningParts {
  readonly sessions: Sessions
  readonly workstations: Workstations
}

export function openSigning(context: Context, { sessions, workstations }: SigningParts): SigningPart {
  const { settings, closing, clock } = context
  const signatureService = openService(context)
  const lost = () => void reconciler.wake()
  const log = new SignatureLog(context, lost)
  const reconciler = reconcileSignatures(context, signatureService, log)
  const metrics = openSessionMetrics(context)
  const signing = new Signing(context, { sessions, service: signatureService, log, metrics, lost })
  closing.add('the signatures under way', () => signing.idle())
  const room = new ByteBudget(settings.Signing.MaxHeldBytes)
  metrics.session_held_bytes.measure(() => room.held)
  metrics.session_live_sessions.measure(() => sessions.list(clock()).length)
  metrics.session_workstations_online.measure(() => workstations.online)
  return { signatureService, signing, log, room, reconciler }
}

function openService({
  settings: { Signer, Signing: limits },
  dataFolder,
  closing,
  readiness,
}: Context): SignatureService {
  const service = new SignatureService({
    endpoint: Signer.Endpoint,
    apiKey: Signer.ApiKey,
    timeoutMs: Signer.TimeoutSeconds * SECOND,
    folderId: Signer.FolderId,
    notifySigner: Signer.NotifySigner,
    patienceMs: limits.BudgetSeconds * SECOND,
    ...(Signer.CaFile !== undefined && {
      ca: readAuthorities(resolve(dataFolder, Signer.CaFile), 'session-server Signer:CaFile'),
    }),
  })
  closing.add('the connections to the signature service', () => service.close())
  // Not a gate: without it nothing can be signed or fetched, but everything else works.
  readiness.add('signature-service', (signal) => service.ping(signal).then(() => ({ ok: true })), { gates: false })
  return service
}
