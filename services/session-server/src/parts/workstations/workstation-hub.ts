import { SECOND } from '@chancela/service-kernel/clock'
import { KeyedMutex } from '@chancela/service-kernel/concurrency'
import { type AgentMessage, ChannelProblem } from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { SessionServerSettings } from '../../settings.ts'
import type { PinToForgetRow, WorkstationRow } from '../../store/tables.ts'
import { findWorkstation, keepPinToForget, pinsForgotten, pinsToForget } from '../../store/workstations.ts'
import type { Certificates } from '../certificates/certificates.ts'
import { type AgentConnection, type ConnectionEvents, ConnectionLost } from './agent-connection.ts'
import { believe, type Offered, writeOffered } from './offered-certificates.ts'
import { Presence } from './presence.ts'
import {
  type DigestToSign,
  type HeldAt,
  type OfferAnswer,
  type OfferedPin,
  type PinCheck,
  type PromptAnswer,
  type PromptReason,
  WorkstationSignProblem,
  type Workstations,
} from './workstations.ts'

interface HubContext extends Pick<Context, 'store' | 'clock' | 'logger' | 'settings'> {
  readonly certificates: Pick<Certificates, 'recheck'>
}

/** Requests to the agents on holders' machines, and the certificates they publish. */
export class WorkstationHub implements Workstations {
  readonly #context: HubContext
  readonly #presence: Presence
  /** Publications of one agent are written in sequence; different agents do not wait for each other. */
  readonly #publications = new KeyedMutex()
  readonly #publishing = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #pair: ConnectionEvents['onPair'] = () => {}
  #watch: WorkstationWatch = { back: () => {}, gone: async () => {} }

  constructor(context: HubContext) {
    this.#context = context
    this.#presence = new Presence(context)
  }

  start(): void {
    this.#presence.start()
  }

  async stop(): Promise<void> {
    this.#presence.stop()
    this.#stopping.abort()
    await Promise.all(this.#publishing)
  }

  get online(): number {
    return this.#presence.online
  }

  isOnline(workstationId: string): boolean {
    return this.#presence.find(workstationId) !== undefined
  }

  untilOnline(workstationId: string, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    return this.#presence.untilOnline(workstationId, milliseconds, signal)
  }

  /** The connection of a workstation that may be asked. */
  connectionOf(workstationId: string): AgentConnection | undefined {
    return this.#presence.find(workstationId)
  }

  /** Who hears of the codes that are typed at agents. */
  onPair(heard: ConnectionEvents['onPair']): void {
    this.#pair = heard
  }

  /** Who hears of workstations that come back and of certificates that go. */
  onChange(watch: WorkstationWatch): void {
    this.#watch = watch
  }

  cut(workstationId: string): void {
    this.#presence.cut(workstationId)
  }

  async offerPin({ workstationId, fingerprints, pin }: OfferedPin, signal: AbortSignal): Promise<OfferAnswer> {
    const request = { type: 'offer', fingerprints, pin } as const
    const answer = await this.#ask(workstationId, request, this.#within(0, signal)).catch(() => undefined)
    return answer?.type === 'offered' ? believed(answer, fingerprints) : { kind: 'unreachable' }
  }

  async prompt(offer: OfferedPin, reason: PromptReason, signal: AbortSignal): Promise<PromptAnswer> {
    const { workstationId, fingerprints, pin } = offer
    const { Sessions, Workstations } = this.#context.settings
    const { House: house } = Workstations
    const { SignatureAllowance: allowance } = Sessions
    const request = {
      type: 'prompt',
      fingerprints,
      pin,
      ...reason,
      ...(house !== undefined && { house }),
      ...(allowance !== undefined && { allowance }),
    } as const
    const takeBack = (prompt: string) => this.#presence.find(workstationId)?.send({ type: 'take-back', prompt })
    const inTime = this.#within(reason.seconds, signal)
    const answer = await this.#ask(workstationId, request, inTime, takeBack).catch(() => undefined)
    if (answer?.type === 'prompted') return believed(answer, fingerprints)
    return { kind: inTime.aborted ? 'timed-out' : 'unreachable' }
  }

  async checkPin({ workstationId, fingerprint }: HeldAt, signal: AbortSignal): Promise<PinCheck> {
    try {
      const request = { type: 'check-pin', fingerprint } as const
      const answer = await this.#ask(workstationId, request, this.#within(0, signal))
      // An older agent does not know the question: it says the same when it is to sign.
      return answer.type === 'pin-checked' ? answer.result : 'in-use'
    } catch (error) {
      return error instanceof ConnectionLost ? 'lost' : 'silent'
    }
  }

  async sign(wanted: DigestToSign, signal: AbortSignal): Promise<Uint8Array> {
    const { workstationId, fingerprint, digestAlgorithm } = wanted
    const digest = Buffer.from(wanted.digest).toString('base64')
    const request = { type: 'sign', fingerprint, digest, digestAlgorithm } as const
    const answer = await this.#ask(workstationId, request, signal).catch(() => {
      if (signal.aborted) throw new WorkstationSignProblem('failed', 'nobody waits for the signature any more')
      throw new WorkstationSignProblem('offline', 'the workstation is not connected')
    })
    if (answer.type === 'signed') return Buffer.from(answer.signature, 'base64')
    if (answer.type === 'not-signed') throw new WorkstationSignProblem(answer.problem, answer.message)
    throw new WorkstationSignProblem('failed', 'the agent did not understand')
  }

  async forget(workstationId: string, fingerprint: string): Promise<void> {
    const { store, clock } = this.#context
    const row = { workstation_id: workstationId, fingerprint, at: clock().toISOString() }
    // Written first, so that the agent is told even if the connection is lost.
    await keepPinToForget(store.db, row)
    const connection = await this.#presence.settled(workstationId)
    if (connection) await this.#untilForgotten(connection, { type: 'forget', fingerprints: [fingerprint] }, [row])
  }

  readonly events: ConnectionEvents = {
    onCertificates: (connection, { id, certificates }) => {
      const { signal } = this.#stopping
      const turn = this.#publications
        .run(connection.workstationId, () => this.#publish(connection, id, certificates), signal)
        .catch(() => {}) // the service stops before its turn
        .finally(() => this.#publishing.delete(turn))
      this.#publishing.add(turn)
      return turn
    },
    onPair: (connection, message) => this.#pair(connection, message),
    onBroken: ({ workstationId }, problem) => {
      const { logger } = this.#context
      if (problem instanceof ChannelProblem)
        logger.warn({ workstationId, reason: problem.message }, 'workstation channel closed')
      else logger.error({ workstationId, err: problem }, 'workstation message could not be processed')
    },
    onEnd: (connection) => this.#presence.leave(connection),
  }

  /** Registers an authenticated agent. */
  enter(connection: AgentConnection): void {
    this.#presence.enter(connection)
  }

  /** Welcomes an agent and names the PINs to forget; requests may be sent from now on. */
  async welcome(connection: AgentConnection, { id, name }: WorkstationRow): Promise<void> {
    const { store, settings, logger } = this.#context
    const rows = await pinsToForget(store.db, id)
    const forget = rows.map(({ fingerprint }) => fingerprint)
    const { PingSeconds: pingSeconds } = settings.Workstations
    const agent = agentOffer(settings.Workstations)
    void this.#untilForgotten(connection, { type: 'welcome', name, pingSeconds, forget, ...(agent && { agent }) }, rows)
    if (!this.#presence.welcome(connection)) return
    logger.info({ workstationId: id }, 'workstation online')
    this.#watch.back(id)
  }

  async #ask(workstationId: string, ...question: Parameters<AgentConnection['ask']>): Promise<Answer> {
    const connection = this.#presence.find(workstationId)
    if (!connection) throw new ConnectionLost()
    return connection.ask(...question)
  }

  /** Timeout of an answer: `seconds` for a person to react, plus the agent's own time. */
  #within(seconds: number, signal: AbortSignal): AbortSignal {
    const { AnswerSeconds } = this.#context.settings.Workstations
    return AbortSignal.any([signal, AbortSignal.timeout((seconds + AnswerSeconds) * SECOND)])
  }

  /** Deletes the requests the agent confirmed; unconfirmed ones are sent when it reconnects. */
  async #untilForgotten(
    connection: AgentConnection,
    request: Parameters<AgentConnection['ask']>[0],
    rows: readonly PinToForgetRow[],
  ): Promise<void> {
    const { settings, store, logger } = this.#context
    const inTime = AbortSignal.timeout(settings.Workstations.AnswerSeconds * SECOND)
    const answer = await connection.ask(request, inTime).catch(() => undefined)
    if (answer?.type !== 'forgotten') return
    await pinsForgotten(store.db, rows).catch((error: unknown) =>
      logger.error({ err: error }, 'PIN removal will be retried'),
    )
  }

  async #publish(connection: AgentConnection, id: string, offered: readonly Offered[]): Promise<void> {
    const { store, clock, logger } = this.#context
    const { workstationId } = connection
    try {
      const ignored = await this.#write(workstationId, offered, clock())
      if (ignored.length > 0) logger.warn({ workstationId, ignored }, 'foreign certificates ignored')
      connection.send({ type: 'published', to: id, ignored })
    } catch (error) {
      logger.error(
        { err: store.problem(error) ?? error, workstationId },
        'workstation certificates could not be written',
      )
    }
  }

  /** Writes the permitted certificates and validates new ones; returns the ignored ones. */
  async #write(workstationId: string, offered: readonly Offered[], now: Date): Promise<readonly string[]> {
    const { store, certificates } = this.#context
    const { ignored, toJudge, gone } = await store.transaction(async (tx) => {
      const row = await findWorkstation(tx, workstationId)
      const permitted = row?.revoked_at === null ? (JSON.parse(row.cpfs) as string[]) : []
      const { believed, ignored } = believe(offered, permitted)
      return { ignored, ...(await writeOffered(tx, workstationId, believed, now)) }
    })
    await this.#watch.gone(gone, now)
    for (const id of toJudge) await certificates.recheck(id, now)
    return ignored
  }
}

/** The agent's version that holders are told of. */
const agentOffer = ({ AgentVersion: version, AgentPackages }: SessionServerSettings['Workstations']) =>
  version === undefined
    ? undefined
    : {
        version,
        packages: AgentPackages.map(({ Platform: platform, Url: url, Sha256 }) => {
          return { platform, url, sha256: Sha256.toLowerCase() }
        }),
      }

/** Who ends sessions. */
interface WorkstationWatch {
  /** Its agent has connected: perhaps another process than the one that had a PIN. */
  back(workstationId: string): void
  /** Certificates that a workstation offers no more. */
  gone(certificateIds: readonly string[], now: Date): Promise<void>
}

type Answer = Awaited<ReturnType<AgentConnection['ask']>>
type Outcome = Extract<AgentMessage, { readonly result: string }>

/** A confirmation only counts for a certificate that was asked about. */
function believed<A extends Outcome>(
  answer: A,
  fingerprints: readonly string[],
):
  | { readonly kind: 'confirmed'; readonly fingerprint: string }
  | { readonly kind: Exclude<A['result'], 'confirmed'> | 'unreachable' } {
  if (answer.result !== 'confirmed') return { kind: answer.result as Exclude<A['result'], 'confirmed'> }
  const { fingerprint } = answer
  return fingerprints.includes(fingerprint) ? { kind: 'confirmed', fingerprint } : { kind: 'unreachable' }
}
