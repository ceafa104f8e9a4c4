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
} as const

export type FolderName = keyof typeof rules

export const folderNames = Object.keys(rules) as readonly FolderName[]

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
}

export const inputOf = (root: string, folder: string): string => join(root, 'in', folder)
export const workOf = (root: string): string => join(root, 'work')
