// What operators are told of besides the checks of readiness: nobody of these keeps the service from its work.
import { HOUR } from '@chancela/service-kernel/clock'
import { maskedCpf } from './masked-cpf.ts'

type NoticeCause = 'held-certificates-expiring' | 'agents-offline' | 'cpfs-locked'

/** In the form of a check of readiness, which it is not. */
export interface NoticeCondition {
  readonly name: NoticeCause
  readonly ok: boolean
  readonly detail?: string
}

interface Known {
  readonly now: Date
  readonly offlineHours: number
  readonly workstations: readonly {
    readonly name: string
    readonly state: string
    readonly lastSeenAt: string | null
  }[]
  readonly lockouts: readonly { readonly cpf: string; readonly locked: boolean }[]
  /** Names of the holders of certificates that end soon. */
  readonly expiring: readonly { readonly name: string; readonly cpf: string }[]
}

/** Names in one detail; a mail is no list. */
const NAMED = 5

/** Each red one says who, as far as a mail may. */
export function noticeConditions({
  now,
  offlineHours,
  workstations,
  lockouts,
  expiring,
}: Known): readonly NoticeCondition[] {
  const offline = workstations.filter(
    ({ state, lastSeenAt }) =>
      state === 'offline' && lastSeenAt !== null && now.getTime() - Date.parse(lastSeenAt) >= offlineHours * HOUR,
  )
  return [
    named(
      'held-certificates-expiring',
      expiring.map(({ name, cpf }) => `${bareName(name)} (${maskedCpf(cpf)})`),
    ),
    named(
      'agents-offline',
      offline.map(({ name }) => name),
    ),
    named(
      'cpfs-locked',
      lockouts.filter(({ locked }) => locked).map(({ cpf }) => maskedCpf(cpf)),
    ),
  ]
}

function named(name: NoticeCause, who: readonly string[]): NoticeCondition {
  const more = who.length > NAMED ? ` (+${who.length - NAMED})` : ''
  return who.length === 0 ? { name, ok: true } : { name, ok: false, detail: who.slice(0, NAMED).join(', ') + more }
}

/** Certificates name their holders with the CPF behind. */
const bareName = (name: string): string => name.replace(/:\d+$/, '')
