import { expect, test } from 'vitest'
import { openPdf } from '../../pdf/pdf-file.ts'
import { tablePdf } from '../../pdf/test-support/sample-pdfs.ts'
import type { Change } from './comparison.ts'
import { judgeLaterChanges } from './later-changes.ts'

test('permitted changes of one kind are told once, with their number; forbidden ones one by one', () => {
  const [revision] = openPdf(tablePdf()).revisions
  const filled = (field: number): Change => ({
    kind: 'form-fill',
    needs: 2,
    code: 'pdf.not-permitted-change',
    description: `field ${field} was filled`,
  })
  const changes = new Map([[1, Array.from({ length: 47 }, (_, at) => filled(at))]])
  const permissions = { isStated: true, locked: () => false }
  const allowed = judgeLaterChanges(changes, revision!, { ...permissions, level: 2 })
  expect(allowed.laterChanges).toHaveLength(47)
  expect(allowed.findings).toMatchObject([{ code: 'pdf.permitted-change', details: { kind: 'form-fill', count: 47 } }])
  const forbidden = judgeLaterChanges(changes, revision!, { ...permissions, level: 1 })
  expect(forbidden.findings).toHaveLength(47)
})
