import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { MINUTE, plus } from '../clock/index.ts'
import { createEventLog, type EventExport, type EventTables, eventMigrations, exportEvents } from './index.ts'

for (const [name, open] of Object.entries(testStores)) {
  describe(`the export of events on ${name}`, () => {
    async function world() {
      const store = await open<EventTables>({ events: eventMigrations })
      const clock = testClock()
      const log = createEventLog(store, clock)
      const exported = async (asked: Partial<EventExport>) => {
        const lines: string[] = []
        for await (const line of exportEvents(store.db, { format: 'csv', language: 'en-US', ...asked }))
          lines.push(line)
        return lines
      }
      const record = (text: string, actor = 'ana') => log.record(store.db, { type: 'Happened', actor, text })
      return { store, clock, log, record, exported }
    }

    test('is for spreadsheets in the language of its reader, and runs nothing there', async () => {
      const { store, log, record, exported } = await world()
      const event = await log.record(store.db, {
        type: 'Happened',
        actor: { name: 'ana', address: '192.0.2.7' },
        subject: { kind: 'job', id: 'j1' },
        text: 'A "file", two lines\nlong.',
        changes: { before: { name: 'a' }, after: { name: 'b' } },
      })
      const [head, line] = await exported({ language: 'pt-BR', textIn: (language, { text }) => `${language}: ${text}` })
      expect(head).toMatch(/^\uFEFF"Data e hora \(UTC\)","Tipo","Descrição",.*\r\n$/)
      expect(line).toBe(
        `"${event.at.toISOString()}","Happened","pt-BR: A ""file"", two lines\nlong.","ana","192.0.2.7","job","j1","",` +
          `"{""name"":""a""}","{""name"":""b""}","${event.id}"\r\n`,
      )
      const dangerous = ['=1+1', '+1', '-1', '@a', '\tx', '\rx']
      for (const text of dangerous) await record(text, text)
      const lines = (await exported({})).slice(2)
      for (const [at, text] of dangerous.entries()) expect(lines[at]).toContain(`"'${text}","'${text}"`)
    })

    test('has every event once, oldest first, page by page, also those of one instant, within the asked time', async () => {
      const { clock, record, exported } = await world()
      for (let n = 0; n < 600; n++) await record(`${n}`)
      const first = clock()
      clock.advance(MINUTE)
      for (let n = 600; n < 1200; n++) await record(`${n}`)
      const texts = async (asked: Partial<EventExport>) =>
        (await exported({ format: 'jsonl', ...asked })).map((line) => (JSON.parse(line) as { text: string }).text)
      expect(await texts({})).toStrictEqual(Array.from({ length: 1200 }, (_, n) => `${n}`))
      expect(await texts({ to: plus(first, 1) })).toHaveLength(600)
      expect(await texts({ from: plus(first, 1) })).toHaveLength(600)
      expect(await texts({ from: plus(first, 1), to: plus(first, 2) })).toStrictEqual([])
    })
  })
}
