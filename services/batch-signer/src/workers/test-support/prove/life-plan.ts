// The plan of one run of the service, sent by the prover to the process.
import type { ActName } from './acts.ts'
import type { WriterPlan } from './site-plan.ts'

/** The durable steps of a job, before and after which a process can be made to die. */
export const stepsOfWork = [
  'ledger.enqueue',
  'ledger.claim',
  'ledger.reachedKey',
  'ledger.signed',
  'ledger.completed',
  'ledger.inputSettled',
  'openSync input',
  'mkdir job-folder',
  'write partial',
  'fsync partial',
  'rename partial',
  'open hidden',
  'writevSync hidden',
  'fsync hidden',
  'fsync processing',
  'rename scratch',
  'renameNewSync hidden',
  'fsync output',
  'remove job-folder',
  'unlinkSync input',
] as const

/** The steps of start-up recovery. */
export const stepsOfRecovery = [
  'rename job-folder',
  'unlink hidden',
  'mkdir error',
  'write error',
  'fsync error',
  'rename error',
  'ledger.failed',
] as const

/** A crash at a step, before or after the `nth` time it is reached. */
export interface Crash {
  readonly point: (typeof stepsOfWork)[number] | (typeof stepsOfRecovery)[number]
  readonly side: 'before' | 'after'
  readonly nth: number
}

/** Faults around a run. */
export const troubles = ['EIO', 'EACCES', 'ENOSPC', 'slow disk', 'clock jumps'] as const

export type Trouble = (typeof troubles)[number]

export interface LifePlan {
  readonly crash?: Crash
  readonly trouble?: Trouble
  /** Killed this many milliseconds after its start began: while it opens its store, recovers, listens. */
  readonly killedAtBootMs?: number
  /** Killed this many milliseconds after the order to work, unless it died before. */
  readonly workMs: number
  /** Who writes files in place while it works, and goes on when it is killed. */
  readonly writers?: readonly Omit<WriterPlan, 'number' | 'path'>[]
  /** What operator and clients do meanwhile. */
  readonly acts?: readonly ActName[]
  /** What happened to the store before it: an older copy was put back, or there is a new one. */
  readonly database?: 'older' | 'lost'
  /** A second process that is started on the same store meanwhile; the first is frozen for it, or works on. */
  readonly second?: 'beside' | 'while the first is frozen'
  /** The clock of the run is this many days ahead. */
  readonly daysOn?: number
}

/** Location of one world, and the setup of its process. */
export interface LifeSetup {
  readonly root: string
  readonly databaseUrl: string
  /** Whether several processes may work on the store; otherwise a second one is to be refused. */
  readonly cluster: boolean
  readonly pkcs12File: string
  readonly password: string
}

/** From the prover to the process. */
export type Order =
  /** Opens everything and recovers; a crash in recovery is armed from here. */
  | { readonly order: 'live'; readonly setup: LifeSetup; readonly plan: LifePlan }
  /** Takes files in and signs them. */
  | { readonly order: 'work' }

/** From the process to the prover. */
export type Word = { readonly word: 'loaded' } | { readonly word: 'recovered'; readonly baseUrl: string }
