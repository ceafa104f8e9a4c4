import { afterAll, beforeAll, expect, test } from 'vitest'
import { tablePdf } from '../../pdf/test-support/sample-pdfs.ts'
import { reportText } from '../../report/text.ts'
import { drawAppearance, stampPages } from '../index.ts'
import { openSigningRoom, type SigningRoom } from '../test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

test('many changes of one kind that a signature allows are one finding that counts them, and one line', async () => {
  const signed = await room.sign(tablePdf({ pages: 47 }), { permits: 'annotations' })
  const picture = await drawAppearance({ x: 30, y: 20, width: 200, height: 30, lines: ['Visto'] })
  const pages = Array.from({ length: 47 }, (_, at) => at + 1)
  const marked = stampPages(signed, { stamps: [{ picture, pages }], signed: 'where-allowed' })
  const report = await room.validate(await room.sign(marked, { permits: 'annotations' }))
  const [signature] = report.signatures
  expect(signature!.indication).toBe('valid')
  const permitted = signature!.findings.filter(({ code }) => code === 'pdf.permitted-change')
  expect(permitted.map(({ details }) => details)).toEqual([
    { revision: 3, kind: 'annotation', change: expect.any(String), changes: 47 },
    { revision: 4, kind: 'signature', change: expect.any(String) },
  ])
  // Each is still there for programs.
  expect(signature!.coverage!.laterChanges).toHaveLength(48)
  expect(reportText(report, 'en-US').match(/revision 3/gi)).toHaveLength(1)
  expect(reportText(report, 'en-US')).toContain('47 ×')
})

test('changes that are not allowed are told one by one', async () => {
  const signed = await room.sign(tablePdf({ pages: 3 }))
  const picture = await drawAppearance({ x: 30, y: 20, width: 200, height: 30, lines: ['Visto'] })
  const marked = stampPages(signed, { stamps: [{ picture, pages: [1, 2, 3] }], signed: 'always' })
  const [signature] = (await room.validate(marked)).signatures
  expect(signature!.indication).toBe('invalid')
  expect(signature!.findings.filter(({ severity }) => severity === 'error')).toHaveLength(3)
})
