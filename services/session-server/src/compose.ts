import { type InstanceLease, takeInstanceLease } from '@chancela/service-kernel/store'
import type { Worker } from '@chancela/service-kernel/workers'
import type { Context } from './context.ts'
import { Approvals } from './parts/approvals/approvals.ts'
import { Certificates, openCertificateTrust } from './parts/certificates/certificates.ts'
import { LiveSessions } from './parts/sessions/live-sessions.ts'
import { PinFailures } from './parts/sessions/pin-failures.ts'
import { openSigning, type SigningPart } from './parts/signing/open-signing.ts'
import { Tokens } from './parts/tokens/tokens.ts'
import { Vault } from './parts/vault/vault.ts'
import type { AgentDoor } from './parts/workstations/accept-agents.ts'
import { openWorkstations } from './parts/workstations/open-workstations.ts'
import { WorkstationAdmin } from './parts/workstations/workstation-admin.ts'
import type { WorkstationHub } from './parts/workstations/workstation-hub.ts'
import { WorkstationPins } from './parts/workstations/workstation-pins.ts'
import { endSessions } from './workers/end-sessions.ts'
import { lookAtTokens } from './workers/look-at-tokens.ts'
import { recheckCertificates } from './workers/recheck-certificates.ts'
import { sweepApprovals } from './workers/sweep-approvals.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly lease: InstanceLease
  readonly certificates: Certificates
  readonly workstations: WorkstationHub
  readonly workstationAdmin: WorkstationAdmin
  readonly agentDoor: AgentDoor
  readonly sessions: LiveSessions
  readonly vault: Vault
  readonly tokens: Tokens
  readonly pinFailures: PinFailures
  readonly pins: WorkstationPins
  readonly signing: SigningPart
  readonly approvals: Approvals
  readonly workers: readonly Worker[]
}

export async function openParts(context: Context): Promise<Parts> {
  const { settings, clock, closing } = context
  const lease = await openLease(context)
  const certificates = new Certificates(context, await openCertificateTrust(context))
  const { hub: workstations, door: agentDoor, serverPublicKey } = await openWorkstations(context, certificates)
  const sessions = new LiveSessions({ context, certificates, workstations })
  closing.add('the sessions', () => sessions.close())
  await sessions.resume(clock())
  workstations.onChange({
    back: (id) => void sessions.confirmAt(id),
    gone: (ids, now) => sessions.endOnCertificates(ids, now),
  })
  const workstationAdmin = new WorkstationAdmin({ ...context, workstations, sessions, serverPublicKey })
  const vault = new Vault(context, { certificates, gone: (id, now) => sessions.endOnCertificates([id], now) })
  const tokens = await openTokens(context, sessions)
  const pinFailures = new PinFailures(context)
  const pins = new WorkstationPins(workstations, settings)
  const signing = openSigning(context, { sessions, workstations })
  if (lease.isAlone) await signing.log.takeOver()
  const approvals = new Approvals(context, { certificates, workstations })
  closing.add('the approvals', () => approvals.close())
  const workers = [
    recheckCertificates(context, certificates),
    endSessions(context, sessions, pinFailures),
    signing.reconciler,
    sweepApprovals(context, approvals),
    ...(tokens.areThere ? [lookAtTokens(context, tokens)] : []),
  ]
  for (const worker of workers) closing.add('a worker', () => worker.stop())
  return {
    lease,
    certificates,
    workstations,
    workstationAdmin,
    agentDoor,
    sessions,
    vault,
    tokens,
    pinFailures,
    pins,
    signing,
    approvals,
    workers,
  }
}

async function openTokens(context: Context, sessions: LiveSessions): Promise<Tokens> {
  const tokens = new Tokens(context, {
    gone: (id, now) => sessions.endOnCertificates([id], now),
    lost: (now) => sessions.endLost(now),
  })
  context.closing.add('the tokens', () => tokens.close())
  await tokens.start(context.clock())
  return tokens
}

/**
 * Keys and PINs of sessions are in this process alone: a second one on the same store would end the sessions of the first
 * and look after its documents. Given back last, when nothing here writes any more.
 */
async function openLease({ store, logger, readiness, closing, giveUp }: Context): Promise<InstanceLease> {
  const lease = await takeInstanceLease(store, { logger, onLost: giveUp })
  closing.add('the lease', () => lease.release())
  readiness.add('only-process', async () =>
    lease.isHeld()
      ? { ok: true, detail: 'No other process works on this database.' }
      : { ok: false, detail: 'Another process may have taken this database over.' },
  )
  return lease
}

/** Starts the workers; called after the routes are registered. */
export function startWorking({ workers, workstations }: Parts): void {
  workstations.start()
  for (const worker of workers) worker.start()
}
