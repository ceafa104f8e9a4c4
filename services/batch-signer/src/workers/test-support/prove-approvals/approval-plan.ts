import { join } from 'node:path'

/** The people of every world. */
export const people = [
  { Name: 'Ana Souza', Email: 'ana@site.example', Cpf: '52998224725' },
  { Name: 'Bruno Lima', Email: 'bruno@site.example', Cpf: '11144477735' },
  { Name: 'Carla Dias', Email: 'carla@site.example', Cpf: '39053344705' },
  { Name: 'Davi Reis', Email: 'davi@site.example', Cpf: '15350946056' },
] as const

/** Somebody who is in no pool. */
export const STRANGER = 'eve@site.example'

/** The profiles, by the name of their folder. */
export const rules = {
  steady: { MinimumApprovers: 2, Approvers: people },
  single: { MinimumApprovers: 1, Approvers: people.slice(0, 3) },
  hasty: { MinimumApprovers: 3, Approvers: people, ExpiresAfter: '0.00:00:04' },
  signed: { MinimumApprovers: 2, Signers: 'Approvers', Approvers: people },
  both: { MinimumApprovers: 2, Signers: 'ProfileKeyAndApprovers', Approvers: people.slice(0, 3) },
} as const

export type FolderName = keyof typeof rules

export const folderNames = Object.keys(rules) as readonly FolderName[]

/** Whether approving a file of this profile is done by signing it. */
export const isSigned = (profileName: string): boolean => profileName === 'signed' || profileName === 'both'

/** What the links of approvers are made of. */
export const LINK_SECRET = 'the links of the proof of approvals are made of this'

export const API_KEY = 'the key of the proof of approvals'

/** Largest file held in memory: larger ones take the other way. */
export const IN_MEMORY_BYTES = 65_536

/** What a process of the service is told. */
export interface LifeOrder {
  readonly root: string
  readonly databaseUrl: string
  readonly cluster: boolean
  readonly pkcs12File: string
  readonly password: string
  /** The roots that certificates of approvers are judged by. */
  readonly rootsFile: string
  /** Whether approvers decide in the portal, with codes. */
  readonly asksForCodes: boolean
  /** Whether the process kills itself between the envelope of a signature and the decision that would name it. */
  readonly diesWithEnvelope?: boolean
}

export const inputOf = (root: string, folder: string): string => join(root, 'in', folder)
export const workOf = (root: string): string => join(root, 'work')
