import type { MoveTable } from '@chancela/service-kernel/states'
import { describe, expect, test } from 'vitest'
import * as vocabulary from '../contract/vocabulary.ts'
import * as moves from './moves.ts'

/** Where each state leads, and by which moves. */
const ways = (table: MoveTable): Record<string, string[]> => {
  const found: Record<string, string[]> = {}
  for (const [name, { from, to }] of Object.entries(table))
    for (const state of from) found[state] = [...(found[state] ?? []), `${name} ${to}`]
  return found
}

describe('the states', () => {
  test('of a degree: suspended and restored only after its conclusion, and a canceled one stays so', () => {
    expect(ways(moves.degreeMoves)).toEqual({
      Pending: ['closeDocumentation PendingPublicXml', 'cancel Canceled'],
      PendingPublicXml: ['conclude Concluded', 'cancel Canceled'],
      Concluded: ['suspend CanceledTemporarily', 'annul Canceled'],
      CanceledTemporarily: ['restore Concluded', 'annul Canceled'],
    })
  })

  test('of an emission: a registered one stays so, a canceled one returns to what it was', () => {
    expect(ways(moves.emissionMoves)).toEqual({
      Created: ['sign Signed', 'cancel Canceled'],
      Signed: ['send SentToRegistry', 'cancel Canceled'],
      SentToRegistry: ['register Registered', 'takeBack Signed', 'cancel Canceled'],
      Canceled: ['restoreCreated Created', 'restoreSigned Signed', 'restoreSentToRegistry SentToRegistry'],
    })
  })

  test('of a registration: one step after the other, and a rejection is final', () => {
    expect(ways(moves.registrationMoves)).toEqual({
      AwaitingAcceptance: ['accept Accepted', 'reject Rejected', 'cancel Canceled'],
      Accepted: ['approve Approved', 'reject Rejected', 'cancel Canceled'],
      Approved: ['reject Rejected', 'register Registered', 'cancel Canceled'],
      Registered: ['sign Signed', 'cancel Canceled'],
      Signed: ['annul Canceled'],
    })
  })

  test('of a transcript and a curriculum', () => {
    expect(ways(moves.transcriptMoves)).toEqual({
      Pending: ['conclude Concluded', 'cancel Canceled'],
      Concluded: ['suspend CanceledTemporarily', 'cancel Canceled'],
      CanceledTemporarily: ['restore Concluded', 'cancel Canceled'],
    })
    expect(ways(moves.curriculumMoves)).toEqual({
      Pending: ['conclude Concluded', 'cancel Canceled'],
      Concluded: ['cancel Canceled'],
    })
  })

  test('of lists, inspection files and restamps', () => {
    expect(ways(moves.cancellationListMoves)).toEqual({ Created: ['sign Signed'] })
    expect(ways(moves.inspectionFileMoves)).toEqual({
      Generating: ['generate Created', 'fail GenerationError'],
      Created: ['sign Signed'],
    })
    expect(ways(moves.restampMoves)).toEqual({
      Scheduled: ['update Scheduled', 'apply Applied', 'fail ApplyingError'],
      ApplyingError: ['retry Scheduled'],
    })
  })

  test('of partnerships and batches', () => {
    expect(ways(moves.partnershipMoves)).toEqual({
      Proposed: ['accept Active', 'end Ended'],
      Active: ['end Ended'],
      Ended: ['propose Proposed'],
    })
    expect(ways(moves.batchMoves)).toEqual({
      Created: ['start Processing', 'cancel Canceled'],
      Processing: ['finish Finished', 'cancel Canceled'],
    })
  })

  test.each([
    ['degree', vocabulary.degreeStates, 'Pending', moves.degreeMoves],
    ['emission', vocabulary.emissionStatuses, 'Created', moves.emissionMoves],
    ['registration', vocabulary.registrationStatuses, 'AwaitingAcceptance', moves.registrationMoves],
    ['transcript', vocabulary.transcriptStatuses, 'Pending', moves.transcriptMoves],
    ['curriculum', vocabulary.curriculumStatuses, 'Pending', moves.curriculumMoves],
    ['list', vocabulary.cancellationListStatuses, 'Created', moves.cancellationListMoves],
    ['inspection file', vocabulary.inspectionFileStatuses, 'Generating', moves.inspectionFileMoves],
    ['restamp', vocabulary.restampStatuses, 'Scheduled', moves.restampMoves],
    ['partnership', vocabulary.partnershipStatuses, 'Proposed', moves.partnershipMoves],
    ['batch', vocabulary.batchStatuses, 'Created', moves.batchMoves],
  ] as const)('of a %s are all reached from its first', (_, states, first, table) => {
    const reached = new Set<string>([first])
    for (let before = 0; before < reached.size; ) {
      before = reached.size
      for (const { from, to } of Object.values(table as MoveTable))
        if (from.some((state) => reached.has(state))) reached.add(to)
    }
    expect([...reached].toSorted()).toEqual([...states].toSorted())
  })
})
