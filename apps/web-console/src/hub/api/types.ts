import type { AnswerOf, BodyOf } from '@chancela/admin-console/contract'
import type {
  createProvider,
  listPresets,
  listProviders,
  listRedirectUris,
  listSessions,
  listUses,
  readOverview,
  registerAtProvider,
  testProvider,
  updateProvider,
} from '@chancela/cloud-hub/contract'

export type Overview = AnswerOf<typeof readOverview>
export type Provider = AnswerOf<typeof listProviders>[number]
export type ProviderChange = BodyOf<typeof updateProvider>
export type NewProvider = BodyOf<typeof createProvider>
export type Presets = AnswerOf<typeof listPresets>
export type Preset = Presets['presets'][number]
export type Knob = Presets['knobs'][number]
export type KnobValues = Provider['knobs']
export type Check = AnswerOf<typeof testProvider>['checks'][number]
export type Registration = BodyOf<typeof registerAtProvider>
export type RedirectUri = AnswerOf<typeof listRedirectUris>[number]
export type HubSession = AnswerOf<typeof listSessions>['items'][number]
export type SessionState = HubSession['state']
export type SessionUse = AnswerOf<typeof listUses>['items'][number]
export type UseAction = SessionUse['action']

/** Enumerations of the contract in display order; the compiler checks that each value is in the contract. */
export const sessionStates = [
  'pending',
  'authorized',
  'reserved',
  'used',
  'refused',
  'late',
  'ended',
  'expired',
] as const satisfies readonly SessionState[]

export const useActions = ['authorize', 'certificate', 'sign', 'end'] as const satisfies readonly UseAction[]
