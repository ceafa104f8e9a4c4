import { describe, expect, test } from 'vitest'
import { writeAct } from '../src/store/act-writes.ts'
import { approver, createDocument, databases, people, startPlatform } from './test-support/platform-world.ts'

const later = '2026-11-20T12:00:00.000Z'

for (const database of databases) {
  describe(`what an act writes on ${database}`, () => {
    async function pending() {
      const world = await startPlatform(database)
      const id = await createDocument(world, [approver(people.ana)])
      const { db } = world.store
      const rows = async () => ({
        document: await db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        action: await db.selectFrom('flow_action').selectAll().where('document_id', '=', id).executeTakeFirstOrThrow(),
        participant: await db
          .selectFrom('participant')
          .innerJoin('flow_action', 'flow_action.id', 'participant.action_id')
          .selectAll('participant')
          .where('flow_action.document_id', '=', id)
          .executeTakeFirstOrThrow(),
      })
      const act = async (status: 'FlowConcluded' | 'Refused') => {
        const { document, action, participant } = await rows()
        const writes = {
          participant: { ...participant, completed_at: later },
          actions: [[action.id, 'Completed']] as const,
          document: { ...document, status, updated_at: later, revision: document.revision + 1 },
          at: later,
        }
        return world.store.transaction((tx) => writeAct(tx, writes))
      }
      return { world, id, rows, act }
    }

    test('moves the document, the action and the participant together', async () => {
      const { rows, act } = await pending()
      await act('FlowConcluded')
      expect(await rows()).toMatchObject({
        document: { status: 'FlowConcluded', updated_at: later },
        action: { status: 'Completed' },
        participant: { completed_at: later },
      })
    })

    test('is nothing at all where no move leads from what the document has become meanwhile', async () => {
      const { world, id, rows, act } = await pending()
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Mudou.' })
      const before = await rows()
      expect(before.document.status).toBe('Canceled')
      await expect(act('FlowConcluded')).rejects.toThrow(`No move leads document ${id} to FlowConcluded.`)
      await expect(act('Refused')).rejects.toThrow('No move leads')
      expect(await rows()).toEqual(before)
    })
  })
}
